import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Launch } from '../../../../shared/kinds/comparison/run.ts';
import { describeLoad, printUsers } from '../../../../shared/words/at-load-words.ts';
import type { Fact } from '../../../components/facts.tsx';
import { printCount } from '../../../format/count.ts';
import { printDuration } from '../../../format/duration.ts';
import { printPercent } from '../../../format/percent.ts';

/** What a plan says of the method. */

export function methodFacts(plan: Plan, launches: readonly Launch[], load: AtLoad | null): Fact[] {
  const parts = [
    `${printSeconds(plan.lockstepMs)} for ${plan.pairUsers === 1 ? 'a lone user' : printCount(plan.pairUsers, 'user')}`,
    `${printSeconds(plan.maximumMs)} at load`,
    ...(plan.openMs === null ? [] : [`${printSeconds(plan.openMs)} per side in open load`]),
  ];
  return [
    { name: 'Launches', value: `${printRange(plan.launches)} planned, ${launches.length} measured` },
    { name: 'Epochs of a launch', value: printRange(plan.epochs) },
    { name: 'Epoch', value: parts.join(', ') },
    {
      name: 'Lone user',
      value: `windows of ${plan.windowMs} ms, sides in random order for each transaction`,
    },
    // “Fairness” has it on paper.
    { name: 'At load', value: loadOf(load, plan), screenOnly: true },
    { name: 'Tolerance', value: printPercent(plan.tolerance) },
    {
      name: 'Warm-up',
      value: warmUpPlan(plan.warmUp),
    },
    {
      name: 'Result of the warm-up',
      value: launches.length === 0 ? null : <WarmUps launches={launches} />,
      screenOnly: true,
    },
    { name: 'Longest', value: printDuration(plan.longestS) },
  ];
}

/** `1,000 transactions per side, 6 s at most`. */
function warmUpPlan({ transactions, longestMs }: Plan['warmUp']): string {
  const until =
    transactions === null
      ? 'until CPU per transaction settles'
      : `${printCount(transactions, 'transaction')} per side`;
  return `${until}, ${printSeconds(longestMs)} at most`;
}

/** The load that was found; before that, the requested number of users. */
function loadOf(load: AtLoad | null, { users }: Plan): string | null {
  if (load !== null) return describeLoad(load).join(' ');
  return users === null ? null : printUsers(users);
}

function WarmUps({ launches }: { launches: readonly Launch[] }) {
  return launches.map(({ index, warmUp }) => (
    <div key={index}>{`Launch ${index + 1}: ${warmUpInWords(warmUp)}`}</div>
  ));
}

/** `3,200 requests per side in 2.1 s`. */
function warmUpInWords({ requests, ms }: Launch['warmUp']): string {
  return `${printCount(requests, 'request')} per side in ${printSeconds(ms)}`;
}

/** `3`, `6 to 8`. */
function printRange({ minimum, maximum }: { minimum: number; maximum: number }): string {
  return minimum === maximum ? String(minimum) : `${minimum} to ${maximum}`;
}

/** `2 s`, `0.6 s`. */
function printSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
