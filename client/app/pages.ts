import { latePage } from './late-page.tsx';

/** The pages that load when they are first asked for. Launch is part of the first chunk: it is where most visits begin. */
export const runPage = latePage(() => import('../features/run/run-page.tsx'));
export const runsPage = latePage(() => import('../features/runs/runs-page.tsx'));
export const labPage = latePage(() => import('../features/lab/lab-page.tsx'));
export const labResultPage = latePage(() => import('../features/lab/lab-result-page.tsx'));
