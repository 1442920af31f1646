import type { RoundPoint, SizeArm } from '../../../../shared/size-sweep.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import { quantileOfSorted, toSorted } from '../../../statistics/quantile.ts';

/** One short visit to one size: what its requests took on each arm. */
export type SizeSample = {
  size: number;
  /** Index of the suite in the request. */
  suite: number;
  /** CPU of target and generator together; null where the target's cannot be read. */
  busyUs: number | null;
  arms: Record<Arm, { timesUs: number[]; transactions: number; cpuUs: number | null }>;
};

/** The points of a round: all requests of a size over an arm together. The twin is http as well, and so is every suite's. */
export function poolSamples(samples: readonly SizeSample[]): RoundPoint[] {
  const parts = samples.flatMap(({ size, suite, arms: measured }) =>
    arms.map((arm) => ({ size, arm: armOf(arm, suite), ...measured[arm] })),
  );
  const points = Map.groupBy(parts, ({ size, arm }) => `${size} ${arm}`);
  return [...points.values()].flatMap((of) => {
    const [first] = of;
    return first === undefined ? [] : [pointOf(first.size, first.arm, of)];
  });
}

function armOf(arm: Arm, suite: number): SizeArm {
  return arm === 'comparison' ? suite : 'http';
}

type Part = SizeSample['arms'][Arm];

/** All requests of a size over an arm together. */
export function pointOf(size: number, arm: SizeArm, parts: readonly Part[]): RoundPoint {
  const times = toSorted(parts.flatMap(({ timesUs }) => timesUs));
  const transactions = parts.reduce((sum, part) => sum + part.transactions, 0);
  const cpuUs = parts.reduce<number | null>(
    (sum, part) => (sum === null || part.cpuUs === null ? null : sum + part.cpuUs),
    0,
  );
  return {
    ...{ size, arm, transactions },
    medianUs: quantileOfSorted(times, 0.5),
    p2_5: quantileOfSorted(times, 0.025),
    p12_5: quantileOfSorted(times, 0.125),
    p87_5: quantileOfSorted(times, 0.875),
    p97_5: quantileOfSorted(times, 0.975),
    cpuUs: cpuUs === null || transactions === 0 ? null : cpuUs / transactions,
  };
}
