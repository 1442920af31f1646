import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { type DescribedError, describeErrors } from '../analyse/describe-errors.ts';

/**
 * Why a run cannot go on with its target: it is gone, or it fails.
 * @param where such as `block 3` or `the warm-up`
 */
export function problemOf(errors: readonly DescribedError[], where: string): ProblemError {
  const isGone = errors.some(({ outcome }) => outcome === 'connection_refused');
  return isGone
    ? problem('target_died', `The target stopped responding in ${where}: ${describeErrors(errors)}.`)
    : problem('target_errors', `The target failed in ${where}: ${describeErrors(errors)}.`);
}
