import type { ErrorGroup } from '../../shared/base/outcome.ts';
import { type ProblemError, problem } from '../../shared/base/problem.ts';
import { transportFacts } from '../../shared/base/transport.ts';
import type { SideError } from '../../shared/kinds/comparison/side-error.ts';

/**
 * Why a run cannot go on with its target: it is gone, or it fails.
 * @param where such as `block 3` or `the warm-up`
 */
export function problemOf(errors: readonly DescribedError[], where: string): ProblemError {
  const isGone = errors.some(({ outcome }) => outcome === 'connection_refused');
  return isGone
    ? problem('target_died', `The target stopped responding in ${where}: ${describeErrors(errors)}.`)
    : problem(
        'target_errors',
        `The target failed in ${where}: ${describeErrors(errors)}.${adviceOn(errors)}`,
      );
}

/** Only a server that answers with an error of its own has a reason in its log. */
function adviceOn(errors: readonly DescribedError[]): string {
  const isOwn = errors.some(
    ({ outcome, detail }) => outcome === 'unexpected_status' && /answered 5/.test(detail),
  );
  return isOwn ? ' Check the server’s log.' : '';
}

/** The same of one side, by what it is called. */
export function problemOfSide(name: string, errors: readonly ErrorGroup[], where: string): ProblemError {
  return problemOf(
    errors.map(({ transport: _, ...group }) => ({ ...group, name })),
    where,
  );
}

/** Of a side that has a name, or of one that is called by what it speaks. */
type DescribedError = Omit<SideError, 'side'> | ErrorGroup;

/** `X25519, Search: answered 500 instead of 200 (31 times)` — the largest group, and how many others there are. */
export function describeErrors(groups: readonly DescribedError[]): string {
  const [largest] = [...groups].sort((a, b) => b.count - a.count);
  if (largest === undefined) return 'no answer';
  const step = largest.step === null ? '' : `, ${largest.step}`;
  const times = largest.count === 1 ? 'once' : `${largest.count} times`;
  const others = groups.length - 1;
  const rest = others === 0 ? '' : `, and ${others} other ${others === 1 ? 'kind' : 'kinds'} of error`;
  const who = 'name' in largest ? largest.name : transportFacts[largest.transport].shortName;
  return `${who}${step}: ${largest.detail} (${times})${rest}`;
}
