import type { RunFacts, RunRequest } from '../../../../shared/run.ts';
import type { Frame } from '../../../measurement/kind.ts';

/** What is known of a run besides its blocks. */
export type RunRecord = Frame<RunRequest> & RunFacts;
