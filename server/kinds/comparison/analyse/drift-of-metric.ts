import { plainOf } from '../../../../shared/base/arms.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block, Window } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import { type DriftPoint, driftOf, driftWidening } from '../../../method/statistics/drift.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';
import { question } from '../plan/question.ts';

/** Of a block: windows next to each other are disturbed alike, so they are no points of their own. */
const batchesOfBlock = 3;

/** What the drift of a metric in its launches adds to either side of its log ratio; 0 where it has no windows. */
export function driftOfMetric(id: MetricId, blocks: readonly Block[], all: readonly Block[]): number {
  const costOf = costs[id];
  if (costOf === undefined) return 0;
  const points = blocks.flatMap((block) => pointsOf(block, servedBefore(block, all), costOf));
  return driftWidening(driftOf(points));
}

type Cost = (windows: readonly Window[], arm: Arm) => number;

const cpu: Cost = (windows, arm) =>
  sumOf(windows.map(({ arms }) => arms[arm].cpuUs ?? Number.NaN)) / transactionsOf(windows, arm);
const throughput: Cost = (windows, arm) => sumOf(windows.map(({ arms }) => arms[arm].perS ?? Number.NaN));
const latency: Cost = (windows, arm) =>
  Math.exp(sumOf(windows.map(({ arms }) => Math.log(arms[arm].medianUs ?? Number.NaN))) / windows.length);

const costs: Partial<Record<MetricId, Cost>> = {
  cpu_at_load: cpu,
  cpu_lone: cpu,
  throughput,
  transactions_per_10_min: throughput,
  latency_p50: latency,
};

function pointsOf({ launch, windows }: Block, before: number, costOf: Cost): DriftPoint[] {
  const kept = windows.filter(({ aside }) => !aside);
  const size = Math.ceil(kept.length / batchesOfBlock);
  const points: DriftPoint[] = [];
  let served = before;
  for (let from = 0; from < kept.length; from += size) {
    const batch = kept.slice(from, from + size);
    const transactions = transactionsOf(batch, question.of);
    const logCostOf = (arm: Arm) => Math.log(costOf(batch, arm));
    const logRatio = logCostOf(question.of) - meanOf(plainOf(question).map(logCostOf));
    if (Number.isFinite(logRatio)) {
      points.push({ launch, transactions: served + transactions / 2, logRatio, weight: batch.length });
    }
    served += transactions;
  }
  return points;
}

/** Transactions of the comparison in the launch, before the block. */
function servedBefore({ index, launch }: Block, all: readonly Block[]): number {
  const earlier = all.filter((block) => block.launch === launch && block.index < index);
  return sumOf(
    earlier.flatMap(({ slots }) => slots.map(({ arm, load }) => (arm === question.of ? load.succeeded : 0))),
  );
}

function transactionsOf(windows: readonly Window[], arm: Arm): number {
  return sumOf(windows.map(({ arms }) => arms[arm].transactions));
}
