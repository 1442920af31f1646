import { shortenRuns, shortenSweeps } from './shorten-runs.ts';

/** For tests: loaded into a program before it starts, so that its runs and sweeps are brief. Changes to the plan are in its environment. */
shortenRuns(JSON.parse(process.env.BRIEF_PLAN ?? '{}'));
shortenSweeps();
