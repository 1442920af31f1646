import { type Scale, scaleFor } from '../../../../shared/base/quantity.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointOf } from './operating-point.ts';

type BarsView = {
  rows: { id: MetricId; title: string; baseline: Estimate | null; comparison: Estimate | null }[];
  scale: Scale;
};

/** The chosen metric and its kin: those of its group that share its unit and operating point, so that one axis serves all. */
export function barsView(
  { metrics, blocks }: Pick<ShownRun, 'metrics' | 'blocks'>,
  chosen: MetricId,
): BarsView {
  const kinds = new Set(blocks.map(({ kind }) => kind));
  const { group, unit, points } = metricOf(chosen);
  const point = pointOf(points, kinds);
  const kin = metrics.filter(({ id, baseline, comparison }) => {
    const metric = metricOf(id);
    return (
      metric.group === group &&
      metric.unit === unit &&
      pointOf(metric.points, kinds) === point &&
      (baseline ?? comparison) !== null
    );
  });
  const centers = kin.flatMap(({ baseline, comparison }) => [baseline?.center, comparison?.center]);
  return {
    rows: kin.map(({ id, baseline, comparison }) => ({
      id,
      title: metricOf(id).title,
      baseline,
      comparison,
    })),
    scale: scaleFor(
      unit,
      centers.filter((value) => value !== undefined),
    ),
  };
}
