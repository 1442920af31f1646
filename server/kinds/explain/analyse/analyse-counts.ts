import { differenceOf } from '../../../../shared/base/independent-estimates.ts';
import { type BySide, bySide, sideNames } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type CostGroup, costGroups } from '../../../../shared/kinds/explain/cost-groups.ts';
import type { InstructionCounts } from '../../../../shared/kinds/explain/instruction-counts.ts';
import { ownCosts } from '../../../method/profile/callgrind/own-costs.ts';
import {
  type CountedFunction,
  type Counts,
  parseCounts,
} from '../../../method/profile/callgrind/parse-counts.ts';
import { groupOf } from '../../../method/profile/group-of.ts';

/** Functions that are listed. */
const listed = 15;

type Counted = {
  valgrind: string;
  /** Of a part. */
  requests: number;
  /** Of each part, what each process wrote: an odd number of parts. */
  texts: BySide<string[][]>;
};

/**
 * What a request takes is that of the median part. What a server does by the clock, such as formatting the time once a second, falls into few of them,
 * and would count too often otherwise: its seconds are as long as ever while its requests are fifty times slower.
 */
export function analyseCounts({ valgrind, requests, texts }: Counted): InstructionCounts {
  const parts = bySide((side) => texts[side].map(parseCounts));
  const medians = bySide((side) => medianOf(parts[side]));
  const perRequest = bySide((side) => rangeOf(parts[side], medians[side], requests));
  return {
    ...{ valgrind, requests, perRequest },
    parts: bySide((side) => parts[side].map(({ instructions }) => instructions)),
    delta: differenceOf(perRequest.comparison, perRequest.baseline),
    groups: groupsOf(medians, requests),
    functions: functionsOf(medians, requests),
  };
}

function medianOf(parts: readonly Counts[]): Counts {
  const sorted = parts.toSorted((one, other) => one.instructions - other.instructions);
  const median = sorted[(sorted.length - 1) / 2];
  if (median === undefined) throw new Error('an odd number of parts has a median');
  return median;
}

function rangeOf(parts: readonly Counts[], median: Counts, requests: number): Estimate {
  const each = parts.map(({ instructions }) => instructions / requests);
  return { center: median.instructions / requests, lo: Math.min(...each), hi: Math.max(...each) };
}

/** A function that no group knows belongs to its callers. */
function groupsOf(medians: BySide<Counts>, requests: number): InstructionCounts['groups'] {
  const sums = bySide((side) => {
    const counts = medians[side];
    const groupIn = (counted: CountedFunction) => groupOf([counted], counts.programs);
    const isKept = (counted: CountedFunction) => counted.name !== null && groupIn(counted) !== 'other';
    const found = new Map<CostGroup, number>();
    for (const [key, instructions] of ownCosts(counts, isKept)) {
      const counted = counts.functions.get(key);
      const group = counted === undefined ? 'other' : groupIn(counted);
      found.set(group, (found.get(group) ?? 0) + instructions / requests);
    }
    return found;
  });
  return costGroups
    .map((group) => ({ group, ...bySide((side) => sums[side].get(group) ?? 0) }))
    .filter((row) => sideNames.some((side) => row[side] > 0));
}

function functionsOf(medians: BySide<Counts>, requests: number): InstructionCounts['functions'] {
  const costs = bySide((side) => ownCosts(medians[side], ({ name }) => name !== null));
  const known = new Map(sideNames.flatMap((side) => [...medians[side].functions]));
  const keys = new Set(sideNames.flatMap((side) => [...costs[side].keys()]));
  return [...keys]
    .flatMap((key) => {
      const { name = null, library = '' } = known.get(key) ?? {};
      const spent = bySide((side) => (costs[side].get(key) ?? 0) / requests);
      return name === null ? [] : [{ name, library, ...spent }];
    })
    .toSorted((one, other) => differenceIn(other) - differenceIn(one))
    .slice(0, listed);
}

function differenceIn({ baseline, comparison }: BySide<number>): number {
  return Math.abs(comparison - baseline);
}
