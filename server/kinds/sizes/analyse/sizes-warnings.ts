import { printShare } from '../../../../shared/base/quantity.ts';
import type { SizeRound } from '../../../../shared/kinds/sizes/sizes.ts';
import { meanOf } from '../../../method/statistics/mean.ts';

const mostAside = 0.1;

/** What a reader must know of the rounds as a whole. */
export function sizesWarnings(rounds: readonly SizeRound[]): string[] {
  if (rounds.length === 0) return [];
  const aside = meanOf(rounds.map(({ asideShare }) => asideShare));
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  return [
    ...(aside <= mostAside
      ? []
      : [
          `${printShare(aside)} of the passes were set aside because other work kept the machine busy. This widens the intervals.`,
        ]),
    ...(launches === 1 && rounds.length > 1
      ? ['The servers were measured in one launch. Another launch may differ by more than the intervals say.']
      : []),
  ];
}
