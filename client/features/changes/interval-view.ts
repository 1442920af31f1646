import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { ComparedMetric, MetricChange } from '../../../shared/kinds/comparison/result-changes.ts';
import type { IntervalRow } from '../../components/interval-rows.tsx';
import { changeOf } from '../../format/change-of.ts';

/** Interval rows of both results, as changes: 0.21 for +21 %. Rows of the first result are pale. */

/** A change whose ratio is known in both results. */
export type Drawable = MetricChange & { from: WithRatio; to: WithRatio };
type WithRatio = ComparedMetric & { ratio: Estimate };

export function drawableOf(metrics: readonly MetricChange[]): Drawable[] {
  return metrics.filter((row): row is Drawable => hasRatio(row.from) && hasRatio(row.to));
}

function hasRatio(row: ComparedMetric | null): row is WithRatio {
  return row !== null && row.ratio !== null && row.outcome !== 'refused';
}

/** Only the primary metrics. CPU comes first, because the method measures it best. */
export function primaryOf(rows: readonly Drawable[]): Drawable[] {
  const weight = ({ id }: Drawable) => (metricOf(id).group === 'CPU' ? 1 : 0);
  return rows.filter(({ id }) => metricOf(id).primary).toSorted((a, b) => weight(b) - weight(a));
}

/** Two rows for each metric, one above the other. */
export function rowsOfBoth(rows: readonly Drawable[]): IntervalRow[] {
  return rows.flatMap(({ id, from, to }) => [
    { name: `${nameOf(id)}, first`, interval: changeOf(from.ratio), hollow: null, pale: true },
    { name: `${nameOf(id)}, second`, interval: changeOf(to.ratio), hollow: null },
  ]);
}

const shortNames: Partial<Record<MetricId, string>> = {
  cpu_at_load: 'Server CPU',
  latency_p50: 'Median latency',
};

function nameOf(id: MetricId): string {
  return shortNames[id] ?? metricOf(id).title;
}

/** For one metric: each launch of the first result and their total, then the same for the second. */
export function launchRows({ from, to }: Drawable): IntervalRow[] {
  return [...rowsOfRun(from, 'First', true), ...rowsOfRun(to, 'Second', false)];
}

function rowsOfRun({ launches, ratio, twinRatio }: WithRatio, name: string, pale: boolean): IntervalRow[] {
  return [
    ...launches.map(({ launch, ratio: own, twinRatio: twin }) => ({
      name: `${name}, launch ${launch + 1}`,
      interval: changeOf(own),
      hollow: twin === null ? null : twin - 1,
      pale,
    })),
    {
      name: launches.length === 0 ? name : `${name}, all`,
      interval: changeOf(ratio),
      hollow: twinRatio === null ? null : twinRatio.center - 1,
      strong: true,
      pale,
    },
  ];
}
