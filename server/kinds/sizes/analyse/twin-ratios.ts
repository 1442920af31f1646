import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import { printChangeInterval, printShare } from '../../../../shared/base/quantity.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RoundPoint, SizeRound, TwinRatios } from '../../../../shared/kinds/sizes/sizes.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { pointOf, type RoundSamples } from './pool-samples.ts';

/** Of a round: what the twin took at each size by what the baseline took, over all sizes. */
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
  if (ratio === null || (ratio.lo <= 1 && ratio.hi >= 1)) return null;
  const difference = Math.abs(ratio.center - 1);
  if (difference <= toleratedTwin) return null;
  return `Two identical listeners differ by ${printShare(difference)} in latency (99 % CI ${printChangeInterval(ratio)}), so this sweep cannot say what HTTPS costs. Run it again.`;
}
