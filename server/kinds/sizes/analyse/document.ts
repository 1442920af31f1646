import { printShare } from '../../../../shared/base/quantity.ts';
import type { SizeRound } from '../../../../shared/kinds/sizes/sizes.ts';
import {
  type SizesDocument,
  type SizesFacts,
  type SizesRequest,
  sizesSchemaVersion,
} from '../../../../shared/kinds/sizes/sizes.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import type { Frame, Kept } from '../../kind.ts';
import { analyseSizes } from './analyse-sizes.ts';

/**
 * Everything that the permalink of a sweep over sizes shows, from what is kept of it, also while it goes on.
 * @param command that repeats it
 */
export function sizesDocumentOf(
  frame: Frame<SizesRequest>,
  { facts, blocks: rounds }: Kept<SizesFacts, SizeRound>,
  command: string,
): SizesDocument {
  return {
    schemaVersion: sizesSchemaVersion,
    kind: 'sizes',
    ...frame,
    ...{ command, rounds },
    ...facts,
    ...analyseSizes(frame.request, facts, rounds),
    warnings: [...facts.warnings, ...sizesWarnings(rounds)],
  };
}

const mostAside = 0.1;

/** What a reader must know of the rounds as a whole. */
function sizesWarnings(rounds: readonly SizeRound[]): string[] {
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
