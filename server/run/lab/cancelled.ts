import { describeProblem, type Problem, ProblemError } from '../../../shared/problem.ts';

/** How a measurement of the lab ends that is told to stop: by somebody, or by the end of the server. */
export function cancelled({ reason }: AbortSignal): {
  state: 'incomplete' | 'interrupted';
  problem: Problem;
} {
  if (!(reason instanceof ProblemError)) {
    const detail = 'The measurement was cancelled.';
    return { state: 'incomplete', problem: describeProblem('lab_cancelled', { detail }) };
  }
  const { problem } = reason;
  return { state: problem.code === 'run_interrupted' ? 'interrupted' : 'incomplete', problem };
}
