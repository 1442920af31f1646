import { type Arms, byArm, namesOf, readOrder } from '../../../../shared/base/arms.ts';
import type { Block, WindowArm, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import {
  carryOverWidening,
  type OrderedWindow,
  orderEffectOf,
} from '../../../method/statistics/order-effect.ts';
import { question, runArms } from '../plan/question.ts';

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
  return carryOverWidening(
    orderEffectOf(
      blocks.flatMap((block) => orderedWindows(runArms, block, costOf)),
      question.of,
    ),
  );
}

type LogCost = (measured: WindowArm) => number;

const cpu: LogCost = ({ cpuUs, transactions }) => Math.log((cpuUs ?? Number.NaN) / transactions);
const time: LogCost = ({ perS }) => -Math.log(perS ?? Number.NaN);

function orderedWindows<Name extends string>(
  arms: Arms<Name>,
  { launch, windows }: { launch: number; windows: readonly WindowOf<Name>[] },
  costOf: LogCost,
): OrderedWindow<Name>[] {
  return windows.flatMap(({ order, aside, arms: measured }, place) => {
    if (order === undefined || aside) return [];
    return [
      {
        launch,
        before: readOrder(arms, windows[place - 1]?.order ?? '').at(-1) ?? null,
        order: readOrder(arms, order),
        logCost: byArm(namesOf(arms), (arm) => costOf(measured[arm])),
      },
    ];
  });
}
