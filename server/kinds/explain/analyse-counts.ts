import type { Estimate } from '../../../shared/base/estimate.ts';
import { differenceOf } from '../../../shared/base/independent-estimates.ts';
import { type BySide, bySide, sideNames } from '../../../shared/base/transport.ts';
import type { ExplainRequest, InstructionCounts } from '../../../shared/kinds/explain/explain.ts';
import { type CostGroup, costGroups } from '../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import {
  type CountedFunction,
  type Counts,
  ownCosts,
  parseCounts,
} from '../../method/profile/parse-counts.ts';
import { groupOf } from '../../method/profile/parse-samples.ts';

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

/** How instructions are counted. */
export type CountTimes = {
  /** Requests before anything is counted. */
  warmUp: number;
  /** Requests of a part. */
  requests: number;
  /** An odd number. */
  parts: number;
  /** What takes longer is ended. */
  longestMs: number;
};

/**
 * OpenSSL renews the number that blinds RSA signatures every 32 signatures (`BN_BLINDING_COUNTER`), so parts of new connections have 32 requests.
 */
export function countTimes({ connectionPolicy }: Pick<ExplainRequest, 'connectionPolicy'>): CountTimes {
  const requests =
    connectionPolicy === 'keep-alive' ? { warmUp: 512, requests: 128 } : { warmUp: 32, requests: 32 };
  return { ...requests, parts: 7, longestMs: 15 * 60_000 };
}

/** Of a request: Valgrind makes a server about 50 times slower. */
export const countedTimeoutMs = 30_000;

type CountPhase = 'preparing' | 'measuring';

/** Each part of each side is a round. */
export function countPhases({ parts }: Pick<CountTimes, 'parts'>): Phase<CountPhase>[] {
  return [
    { name: 'preparing', seconds: 8 },
    { name: 'measuring', seconds: 2 * parts * 1.5, rounds: 2 * parts },
  ];
}
