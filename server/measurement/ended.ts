import { describeProblem, type Problem, ProblemError } from '../../shared/problem.ts';

/** How a measurement of the lab ended, and what ended it when it did not finish. */
export type Ended = {
  state: 'finished' | 'incomplete' | 'interrupted' | 'failed';
  problem: Problem | null;
};

/** It was told to stop: by somebody, or by the end of the server. */
export function cancelled({ reason }: AbortSignal): Ended {
  if (!(reason instanceof ProblemError)) {
    const detail = 'The measurement was cancelled.';
    return { state: 'incomplete', problem: describeProblem('lab_cancelled', { detail }) };
  }
  const { problem } = reason;
  return problem.code === 'run_interrupted' ? interrupted() : { state: 'incomplete', problem };
}

/** As it stands when the server is gone before it has ended. */
export function interrupted(): Ended {
  const detail = 'The server stopped while this measurement was going on.';
  return { state: 'interrupted', problem: describeProblem('lab_interrupted', { detail }) };
}
