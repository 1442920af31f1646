import type { Estimate, MetricComparison } from '../../../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../../../shared/metric.ts';
import { type Scale, scaleFor } from '../../../../shared/quantity.ts';

export type BarsView = {
  rows: { id: MetricId; title: string; http: Estimate | null; https: Estimate | null }[];
  scale: Scale;
};

/** The chosen metric and its kin: those of its group that share its unit and operating point, so that one axis serves all. */
export function barsView(comparisons: readonly MetricComparison[], chosen: MetricId): BarsView {
  const { group, unit, point } = metricOf(chosen);
  const kin = comparisons.filter(({ id, http, https }) => {
    const metric = metricOf(id);
    return (
      metric.group === group && metric.unit === unit && metric.point === point && (http ?? https) !== null
    );
  });
  const centers = kin.flatMap(({ http, https }) => [http?.center, https?.center]);
  return {
    rows: kin.map(({ id, http, https }) => ({ id, title: metricOf(id).title, http, https })),
    scale: scaleFor(
      unit,
      centers.filter((value) => value !== undefined),
    ),
  };
}
