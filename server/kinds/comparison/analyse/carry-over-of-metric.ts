import { type Arm, arms } from '../../../../shared/base/transport.ts';
import type { Block, Window } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import {
  carryOverWidening,
  type OrderedWindow,
  orderEffectOf,
} from '../../../method/statistics/order-effect.ts';

/**
 * What the order of the arms' bursts adds to either side of a log ratio: whether an arm costs more after the comparison. CPU only
 * where the arms share a process tree, which is read at every switch: one of its own is billed for whole rounds.
 */
export function carryOverOfMetric(
  id: MetricId,
  blocks: readonly Block[],
  { shared }: { shared: boolean },
): number {
  const costOf = id === 'cpu_at_load' && shared ? cpu : id === 'throughput' ? time : null;
  if (costOf === null) return 0;
  return carryOverWidening(orderEffectOf(blocks.flatMap((block) => orderedWindows(block, costOf))));
}

type LogCost = (measured: Window['arms'][Arm]) => number;

const cpu: LogCost = ({ cpuUs, transactions }) => Math.log((cpuUs ?? Number.NaN) / transactions);
const time: LogCost = ({ perS }) => -Math.log(perS ?? Number.NaN);

const armOf: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

function orderedWindows({ launch, windows }: Block, costOf: LogCost): OrderedWindow[] {
  return windows.flatMap(({ order, aside, arms: measured }, place) => {
    if (order === undefined || aside) return [];
    const last = windows[place - 1]?.order?.at(-1);
    return [
      {
        launch,
        before: last === undefined ? null : (armOf[last] ?? null),
        order: [...order].flatMap((letter) => armOf[letter] ?? []),
        logCost: Object.fromEntries(arms.map((arm) => [arm, costOf(measured[arm])])),
      },
    ];
  });
}
