import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointOf } from './operating-point.ts';

/** The chosen metric and its kin: those of its group that share its unit and operating point, so that one axis serves all. */
export function barsView({ metrics, blocks }: Pick<ShownRun, 'metrics' | 'blocks'>, chosen: MetricId) {
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
  return kin.map(({ id, baseline, comparison }) => ({ id, title: metricOf(id).title, baseline, comparison }));
}
