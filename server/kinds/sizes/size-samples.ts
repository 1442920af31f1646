import { z } from 'zod';
import { excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printChangeInterval, printShare } from '../../../shared/base/quantity.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type RoundPoint,
  type SizeArm,
  type SizeRound,
  type SizesDocument,
  sizesDocumentSchema,
  type TwinRatios,
} from '../../../shared/kinds/sizes/sizes.ts';
import { flatten, type Table } from '../../base/text/terminal.ts';
import { launchInterval, quantileOfSorted, toSorted } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';

/** One short visit to one size. */
type Visit<Part> = {
  size: number;
  /** Index of the suite in the request. */
  suite: number;
  arms: Record<Arm, Part>;
};

/** By one user: what its requests took. */
export type LoneSample = Visit<{ timesUs: number[] }>;

/** By all users in bursts: what they cost. */
export type LoadSample = Visit<{
  transactions: number;
  /** Null where it cannot be read. */
  cpuUs: number | null;
  elapsedUs: number;
}>;

export type RoundSamples = { lone: readonly LoneSample[]; atLoad: readonly LoadSample[] };

/** The points of a round: all requests of a size over an arm together. The twin is http as well, and so is every suite's. */
export function poolSamples({ lone, atLoad }: RoundSamples): RoundPoint[] {
  const bursts = groupsOf(atLoad);
  return [...groupsOf(lone)].flatMap(([key, times]) => {
    const [first] = times;
    return first === undefined ? [] : [pointOf(first.size, first.arm, times, bursts.get(key) ?? [])];
  });
}

/** By size and arm. */
function groupsOf<Part>(visits: readonly Visit<Part>[]) {
  const parts = visits.flatMap(({ size, suite, arms: measured }) =>
    (Object.entries(measured) as [Arm, Part][]).map(([arm, part]) => ({
      ...{ size, arm: arm === 'comparison' ? suite : ('http' as const) },
      ...part,
    })),
  );
  return Map.groupBy(parts, ({ size, arm }) => `${size} ${arm}`);
}

/** All requests of a size over an arm together. */
function pointOf(
  size: number,
  arm: SizeArm,
  lone: readonly LoneSample['arms'][Arm][],
  bursts: readonly LoadSample['arms'][Arm][],
): RoundPoint {
  const times = toSorted(lone.flatMap(({ timesUs }) => timesUs));
  const transactions = sumOf(bursts.map((burst) => burst.transactions));
  const known = bursts.flatMap(({ cpuUs }) => cpuUs ?? []);
  const cpuUs = known.length < bursts.length || transactions === 0 ? null : sumOf(known);
  const elapsedUs = sumOf(bursts.map((burst) => burst.elapsedUs));
  return {
    ...{ size, arm, transactions: times.length },
    medianUs: quantileOfSorted(times, 0.5),
    p2_5: quantileOfSorted(times, 0.025),
    p12_5: quantileOfSorted(times, 0.125),
    p87_5: quantileOfSorted(times, 0.875),
    p97_5: quantileOfSorted(times, 0.975),
    cpuUs: cpuUs === null ? null : cpuUs / transactions,
    atLoad: { transactions, busyCores: cpuUs === null ? null : cpuUs / elapsedUs },
  };
}

/** Ratio of the twin to the baseline in a round, over all sizes. */
export function twinRatios({ lone, atLoad }: RoundSamples): TwinRatios {
  const bursts = Map.groupBy(atLoad, ({ size }) => size);
  const pairs = [...Map.groupBy(lone, ({ size }) => size)].map(([size, times]) => {
    const of = (arm: Arm) =>
      pointOf(
        size,
        'http',
        times.map(({ arms }) => arms[arm]),
        (bursts.get(size) ?? []).map(({ arms }) => arms[arm]),
      );
    return { baseline: of('baseline'), twin: of('twin') };
  });
  const over = (read: (point: RoundPoint) => number | null): number | null => {
    const logs = pairs.flatMap(({ baseline, twin }) => {
      const [one, other] = [read(baseline), read(twin)];
      return one !== null && other !== null && one > 0 && other > 0 ? [Math.log(other / one)] : [];
    });
    return logs.length === 0 ? null : Math.exp(meanOf(logs));
  };
  return { latency: over(({ medianUs }) => medianUs), cpu: over(({ cpuUs }) => cpuUs) };
}

type SizeQuantity = keyof TwinRatios;

/** Over the launches, or over the rounds of one. Null with fewer than three. */
export function twinRatioOf(
  quantity: SizeQuantity,
  rounds: readonly SizeRound[],
  confidence = 0.95,
): Estimate | null {
  const interval = launchInterval(
    rounds.flatMap(({ twin, launch }) => {
      const ratio = twin[quantity];
      return ratio === null ? [] : [{ launch, value: Math.log(ratio) }];
    }),
    confidence,
  );
  return mapEstimate(interval, Math.exp);
}

/** Two processes of the same code may differ by this much. */
const toleratedTwin = 0.01;

/** Why the two http listeners are not alike enough to say what HTTPS costs; null where they are. */
export function twinRefusal(rounds: readonly SizeRound[]): string | null {
  const ratio = twinRatioOf('latency', rounds, 0.99);
  if (ratio === null || !excludes(ratio, 1)) return null;
  const difference = Math.abs(ratio.center - 1);
  if (difference <= toleratedTwin) return null;
  return `HTTP and its control differ by ${printShare(difference)} in latency (99 % CI ${printChangeInterval(ratio)}), so this run cannot show what HTTPS costs. Run it again.`;
}

const { element: roundSchema } = sizesDocumentSchema.shape.rounds;
const pointSchema = roundSchema.shape.points.element
  .omit({ arm: true })
  .extend({ transport: z.string(), cipher: z.string().nullish() });
const pointRows = flatten(
  z.object({ rounds: z.array(roundSchema.extend({ points: z.array(pointSchema) })) }),
);

/** A row for each size over each arm in each round. */
export function sizeRows({ id, arms, rounds }: SizesDocument): Table {
  const ciphers = new Map(arms.map(({ arm, suite, negotiated }) => [arm, suite ?? negotiated?.cipher]));
  const named = rounds.map(({ points, ...round }) => ({
    ...round,
    points: points.map(({ arm, ...point }) => ({
      ...point,
      transport: arm === 'http' ? arm : 'https',
      cipher: ciphers.get(arm),
    })),
  }));
  return pointRows({ id, rounds: named });
}
