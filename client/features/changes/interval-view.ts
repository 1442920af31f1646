import type { Estimate } from '../../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../../shared/metric.ts';
import type { ComparedMetric, MetricChange } from '../../../shared/result-changes.ts';
import type { IntervalRow } from '../../components/interval-rows.tsx';

/** Rows of intervals of both results, as changes: 0.21 for +21 %. Those of the first are pale. */

/** A change whose ratio is known in both results. */
export type Drawable = MetricChange & { from: WithRatio; to: WithRatio };
type WithRatio = ComparedMetric & { ratio: Estimate };

export function drawableOf(metrics: readonly MetricChange[]): Drawable[] {
  return metrics.filter((row): row is Drawable => hasRatio(row.from) && hasRatio(row.to));
}

function hasRatio(row: ComparedMetric | null): row is WithRatio {
  return row !== null && row.ratio !== null && row.outcome !== 'refused';
}

/** Of the primary metrics; CPU leads, as it is what the method measures best. */
export function primaryOf(rows: readonly Drawable[]): Drawable[] {
  const weight = ({ id }: Drawable) => (metricOf(id).group === 'CPU' ? 1 : 0);
  return rows.filter(({ id }) => metricOf(id).primary).toSorted((a, b) => weight(b) - weight(a));
}

/** Each metric of both results below each other. */
export function rowsOfBoth(rows: readonly Drawable[]): IntervalRow[] {
  return rows.flatMap(({ id, from, to }) => [
    { name: `${nameOf(id)}, first`, interval: changeOf(from.ratio), hollow: null, pale: true },
    { name: `${nameOf(id)}, second`, interval: changeOf(to.ratio), hollow: null },
  ]);
}

const shortNames: Partial<Record<MetricId, string>> = {
  cpu_per_transaction: 'Server CPU',
  latency_p50: 'Median latency',
};

function nameOf(id: MetricId): string {
  return shortNames[id] ?? metricOf(id).title;
}

/** Of one metric each launch of the first result and what they say together, then those of the second. */
export function launchRows({ from, to }: Drawable): IntervalRow[] {
  return [...rowsOfRun(from, 'First', true), ...rowsOfRun(to, 'Second', false)];
}

function rowsOfRun({ launches, ratio, nullRatio }: WithRatio, name: string, pale: boolean): IntervalRow[] {
  return [
    ...launches.map(({ launch, ratio: own, nullRatio: twin }) => ({
      name: `${name}, launch ${launch + 1}`,
      interval: changeOf(own),
      hollow: twin === null ? null : twin - 1,
      pale,
    })),
    {
      name: launches.length === 0 ? name : `${name}, all`,
      interval: changeOf(ratio),
      hollow: nullRatio === null ? null : nullRatio.center - 1,
      strong: true,
      pale,
    },
  ];
}

function changeOf({ center, lo, hi }: Estimate): Estimate {
  return { center: center - 1, lo: lo - 1, hi: hi - 1 };
}
