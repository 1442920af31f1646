import type { VerdictOutcome } from '../../../../shared/comparison.ts';
import type { ShownRun } from '../../../../shared/shown-run.ts';
import { printPercent } from '../../../format/percent.ts';

type Term = [term: string, meaning: string];

/** The terms of the method that a run was measured with. */
export function termsOf(plan: ShownRun['plan']): readonly Term[] {
  return plan.method === 'lockstep' ? lockstepTerms(printPercent(plan.tolerance)) : blockTerms;
}

const outcomeTerms: Record<VerdictOutcome, string> = {
  overhead: 'Overhead',
  no_overhead: 'No overhead',
  inconclusive: 'Inconclusive',
  not_tested: 'Not tested',
  refused: 'Refused',
};

export function meaningOfOutcome(plan: ShownRun['plan'], outcome: VerdictOutcome): string {
  return meaningOf(plan, outcomeTerms[outcome]) ?? '';
}

/** Null for a term that the method does not have. */
export function meaningOf(plan: ShownRun['plan'], wanted: string): string | null {
  return termsOf(plan).find(([term]) => term === wanted)?.[1] ?? null;
}

const refused: Term = [
  'Refused',
  'The number would mislead, such as a throughput that the load generator limited. The reason is next to it.',
];

function lockstepTerms(tolerance: string): Term[] {
  return [
    [
      'Lockstep',
      'One user sends each transaction to both sides back to back, in random order. What disturbs the machine disturbs both.',
    ],
    [
      'Launch',
      'One start of the target. Two launches of the same program differ, so the interval covers what they differ by.',
    ],
    [
      'Window',
      'About 200 ms of lockstep. Windows in which the machine was disturbed are set aside, for both sides alike; the result with nothing set aside is shown too.',
    ],
    [
      'Null arm',
      'A twin of the first side, measured in the same way. Its difference should be zero; where it is not, the metric is refused.',
    ],
    ['95 % CI', 'Of a hundred such intervals, about 95 contain the true shift. More launches narrow it.'],
    [
      'Overhead',
      'The 95 % CI excludes zero. It is negative when the second side does better. Exploratory metrics must also pass a correction for being many.',
    ],
    ['No overhead', `The 90 % interval lies within ±${tolerance}, the tolerance.`],
    ['Inconclusive', 'Neither of the two. A longer plan narrows the interval.'],
    [
      'Not tested',
      'CPU, throughput and median latency are tested in this order, each only if the one before it differs.',
    ],
    refused,
    [
      'Maximum and open load',
      'Throughput is measured with each side as fast as it can go; open load sends both sides the same arrival rate.',
    ],
  ];
}

const blockTerms: Term[] = [
  [
    'Block',
    'Every side is measured in short turns, called slots. A block holds two slots of each side in mirrored random order, so a machine that slowly gets faster or slower pushes both sides alike. Only differences within a block are used.',
  ],
  [
    '95 % CI',
    'Of a hundred such intervals, about 95 contain the true shift. A longer run narrows it. It comes from the ranks of the block differences (Hodges-Lehmann center, exact Wilcoxon interval), so one odd block hardly moves it.',
  ],
  [
    'Twin',
    'An identical twin of the first side is measured in the same blocks. Any difference between them is noise. The noise floor is the far end of the twin’s interval, but at least 1 %. No smaller difference counts as real.',
  ],
  [
    'Overhead',
    'The interval leaves out zero and its center lies above the noise floor. It is negative when the second side does better; then look for another HTTP version, compression or a cache on one side.',
  ],
  [
    'No overhead',
    'The center lies within the noise floor and the interval is narrow: if there is a cost, it is at most the far end of the interval.',
  ],
  [
    'Inconclusive',
    'Neither of the two: the blocks allow both a cost and none. A longer plan narrows the interval.',
  ],
  refused,
  [
    'Steady and maximum',
    'CPU, latency and bytes are compared at the same arrival rate on both sides, half of what the slower one can take; throughput with every side as fast as it can.',
  ],
];
