import type { VerdictOutcome } from '../../../../shared/kinds/comparison/comparison.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { lookOfOutcome, withinWord } from '../../../format/outcome.ts';

export function meaningOfOutcome(plan: ShownRun['plan'], outcome: VerdictOutcome): string {
  return meaningOf(plan, lookOfOutcome(outcome, 1, 'lower', plan.tolerance).word) ?? '';
}

/** Null for what is no term. */
export function meaningOf(plan: ShownRun['plan'], wanted: string): string | null {
  return termsOf(plan).find(([term]) => term === wanted)?.[1] ?? null;
}

export function termsOf({ tolerance }: ShownRun['plan']): readonly [term: string, meaning: string][] {
  return [
    [
      'At load',
      'All users load one side for a short turn of 15 ms, longer for slow transactions, then the next, in random order. CPU per transaction and throughput come from these turns. The number of users is found once per question, and later runs keep it.',
    ],
    [
      'Lone transaction',
      'One user on an idle server, who sends each transaction to both sides back to back, in random order. Latency is read here. CPU is too, as a row of its own: an idle core has to wake up first, so this figure depends on the machine.',
    ],
    [
      'Launch',
      'One start of the target. Two launches of the same program differ, so the interval covers what they differ by.',
    ],
    [
      'Window',
      'A stretch of about 200 ms, or one burst of each side. Windows in which the machine was disturbed or a request failed are set aside, for both sides alike; the result with nothing set aside is shown too.',
    ],
    [
      'Twin',
      'A second listener like the first side, measured in the same way. Its difference should be zero; where it is not, the interval is wider.',
    ],
    [
      '95 % CI',
      'Of a hundred such intervals, about 95 contain the true shift. More launches narrow it. “Precision” shows what each one rests on.',
    ],
    [
      withinWord(tolerance),
      'The 90 % CI lies within this tolerance on either side of zero, so the difference is too small to matter.',
    ],
    [
      'Overhead',
      'The 95 % CI excludes zero. It is negative when the second side does better. Exploratory metrics must also pass a correction for being many.',
    ],
    ['Inconclusive', 'Neither of the two. A longer plan narrows the interval.'],
    [
      'Not tested',
      'CPU, throughput and median latency are tested in this order, each only if the one before it differs.',
    ],
    [
      'Refused',
      'The number would mislead, such as a throughput that the load generator limited. The reason is next to it.',
    ],
    [
      'Open load',
      'Both sides get the same arrival rate. Half load is half of what the slower side can handle.',
    ],
  ];
}
