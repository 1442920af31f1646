import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { median } from '../method/statistics/quantile.ts';
import type { Figure } from './figure.ts';

export type TimedRun = { document: RunDocument; seconds: number };

/** Targets of a length on a quiet machine: seconds, and half-widths in percent. */
export type Targets = { seconds: number; halfWidths: Partial<Record<MetricId, number>> };

/** How long runs of one kind took, how many gave a verdict, and how narrow their intervals are. */
export function figuresOfRuns(
  bench: string,
  name: string,
  runs: readonly TimedRun[],
  targets: Targets,
): Figure[] {
  const launches = runs.map(({ document }) => document.launches.length);
  const answered = runs.filter(
    ({ document }) => document.state === 'finished' && document.verdict?.outcome !== 'refused',
  ).length;
  const named = (figure: string) => `${name} (${answered} of ${runs.length} gave a verdict): ${figure}`;
  const halfWidths = (Object.keys(targets.halfWidths) as MetricId[]).flatMap((id) =>
    figureOf(bench, `${name}: half-width of ${id}`, '%', targets.halfWidths[id] ?? null, widthsOf(runs, id)),
  );
  return [
    ...figureOf(
      bench,
      named('from request to verdict'),
      's',
      targets.seconds,
      runs.map(({ seconds }) => seconds),
    ),
    ...figureOf(bench, `${name}: launches`, '', null, launches),
    ...halfWidths,
  ];
}

function widthsOf(runs: readonly TimedRun[], id: MetricId): number[] {
  return runs.flatMap(({ document }) => {
    const ratio = document.metrics.find((metric) => metric.id === id)?.ratio ?? null;
    return ratio === null ? [] : [((ratio.hi - ratio.lo) / 2) * 100];
  });
}

/** The median of what was measured; nothing where nothing was. */
function figureOf(
  bench: string,
  figure: string,
  unit: string,
  atMost: number | null,
  values: readonly number[],
): Figure[] {
  if (values.length === 0) return [];
  const range: Figure['range'] = values.length === 1 ? null : [Math.min(...values), Math.max(...values)];
  return [{ bench, figure, value: median(values), unit, range, atMost }];
}
