import type { Arm } from '../../../../shared/base/transport.ts';
import type { RoundPoint, SizeArm } from '../../../../shared/kinds/sizes/sizes.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { quantileOfSorted, toSorted } from '../../../method/statistics/quantile.ts';

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
export function pointOf(
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
