import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import type { Frame } from '../../kind.ts';

/** What is known of a run besides its blocks. */
export type RunRecord = Frame<RunRequest> & RunFacts;
