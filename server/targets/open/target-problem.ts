import type { ErrorGroup } from '../../../shared/base/outcome.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { SideError } from '../../../shared/kinds/comparison/progress.ts';
import { remedyOfIdleClose } from '../../../shared/words/causes.ts';

/**
 * Why a run cannot go on with its target: it is gone, or it fails.
 * @param where such as `block 3` or `the warm-up`
 */
export function problemOf(errors: readonly DescribedError[], where: string): ProblemError {
  const detail = `${describeErrors(errors)}.`;
  if (errors.some(({ outcome }) => outcome === 'connection_refused'))
    return problem('target_died', `The target stopped responding in ${where}: ${detail}`);
  const [reason] = reasons.filter(({ of }) => errors.some(of));
  return problem('target_errors', {
    detail: `The target failed in ${where}: ${detail}`,
    ...(reason === undefined ? {} : { advice: reason.advice }),
  });
}

/** Advice on errors whose reason they tell; the gravest first. */
const reasons: readonly { of(error: DescribedError): boolean; advice: string }[] = [
  {
    // Only a server that answers with an error of its own has a reason in its log.
    of: ({ outcome, detail }) => outcome === 'unexpected_status' && /answered 5/.test(detail),
    advice: 'Check the server’s log.',
  },
  { of: ({ outcome }) => outcome === 'closed_idle', advice: remedyOfIdleClose },
  {
    of: ({ outcome }) => outcome === 'timed_out',
    advice: 'Use fewer users (--users), or find out what the server waits for.',
  },
  {
    of: ({ outcome }) => outcome === 'tls_changed',
    advice: 'Have every server behind the address offer the same TLS, and do not change it during a run.',
  },
];

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
