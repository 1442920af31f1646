import type { LabKind } from '../../shared/measurement/kind-names.ts';
import { type LatePage, latePage } from './late-page.tsx';

/** The pages that load when they are first asked for. Launch is part of the first chunk: it is where most visits begin. */
export const accountPage = latePage(() => import('../features/account/account-page.tsx'));
export const auditPage = latePage(() => import('../features/account/audit-page.tsx'));
export const signInPage = latePage(() => import('../features/account/sign-in-page.tsx'));
export const measurementPage = latePage(() => import('./measurement-screen.tsx'));
export const cellPage = latePage(() => import('../features/servers/cell-page.tsx'));
export const changesPage = latePage(() => import('../features/changes/changes-page.tsx'));
export const scenariosPage = latePage(() => import('../features/scenarios/scenarios-page.tsx'));
export const scenarioPage = latePage(() => import('../features/scenarios/scenario-page.tsx'));
export const revisionPage = latePage(() => import('../features/scenarios/revision-page.tsx'));
export const resultsPage = latePage(() => import('../features/results/results-page.tsx'));
export const examplesPage = latePage(() => import('../features/results/examples-page.tsx'));
export const runsPage = latePage(() => import('../features/results/runs-page.tsx'));
export const runnersPage = latePage(() => import('../features/targets/runners-page.tsx'));
export const batchPage = latePage(() => import('../features/results/batch-page.tsx'));
export const binPage = latePage(() => import('../features/results/bin-page.tsx'));
export const schedulesPage = latePage(() => import('../features/targets/schedules-page.tsx'));
export const studiesPage = latePage(() => import('../features/studies/studies-page.tsx'));
export const sqlPage = latePage(() => import('../features/sql/sql-page.tsx'));
export const labPage = latePage(() => import('../features/lab/lab-page.tsx'));
export const probePage = latePage(() => import('../features/probe/probe-page.tsx'));
export const billPage = latePage(() => import('../features/lab/bill-page.tsx'));
export const targetsPage = latePage(() => import('../features/targets/targets-page.tsx'));
export const recordPage = latePage(() => import('../features/record/record-start-page.tsx'));
export const recorderPage = latePage(() => import('../features/record/recorder-page.tsx'));
export const apiPage = latePage(() => import('../features/docs/api-page.tsx'));
export const docsPage = latePage(() => import('../features/docs/docs-page.tsx'));

/** Start page of each kind that has a page in the lab. It is separate from the kind's view, which a result's own file also contains. */
export const startPages: Record<LabKind, LatePage> = {
  handshakes: latePage(() => import('../features/lab/handshakes-start-page.tsx')),
  speed: latePage(async () => ({ default: (await import('../features/lab/kind-card.tsx')).SpeedPage })),
  visits: latePage(() => import('../features/lab/visits-start-page.tsx')),
  sizes: latePage(() => import('../features/lab/sizes-start-page.tsx')),
  servers: latePage(() => import('../features/servers/servers-start-page.tsx')),
  distance: latePage(() => import('../features/lab/distance/distance-start-page.tsx')),
  mesh: latePage(() => import('../features/lab/mesh-start-page.tsx')),
  prices: latePage(() => import('../features/lab/prices-start-page.tsx')),
  explain: latePage(() => import('../features/lab/explain-start-page.tsx')),
};
