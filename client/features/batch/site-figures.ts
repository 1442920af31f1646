import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import { printQuantity } from '../../../shared/base/quantity.ts';
import { type Shift, scaleOf, shiftOf } from '../../../shared/base/shift.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { BatchSite, SiteFigure } from '../../../shared/measurement/batch.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { IntervalRow } from '../../components/interval-rows.tsx';
import { type Look, lookOfOutcome } from '../../format/outcome.ts';

/** The figures of several sites side by side. */

export type FigureRow = {
  id: MetricId;
  /** By the ID of the measurement; none where a site does not have the metric. */
  cells: ReadonlyMap<string, FigureCell>;
};

export type FigureCell = {
  /** Null when it was refused. */
  shift: Shift | null;
  /** Of both sides, such as `588 µs and 712 µs`; null where one of them is not known. */
  values: string | null;
  look: Look;
};

/** One row for each metric that a site has, in the order of a run's table; with `primary`, only those that are tested, CPU first. */
export function figureRows(sites: readonly BatchSite[], primary: boolean): FigureRow[] {
  const ids = primary ? primaryIds : metricIds;
  return ids.flatMap((id) => {
    const cells = sites.flatMap(({ id: site, figures }) => {
      const figure = figures.find((each) => each.id === id);
      return figure === undefined ? [] : [[site, cellOf(figure)] as const];
    });
    return cells.length === 0 ? [] : [{ id, cells: new Map(cells) }];
  });
}

const weightOf = (id: MetricId) => (metricOf(id).group === 'CPU' ? 1 : 0);
const primaryIds = metricIds
  .filter((id) => metricOf(id).primary)
  .toSorted((a, b) => weightOf(b) - weightOf(a));

function cellOf(figure: SiteFigure): FigureCell {
  const { id, baseline, comparison, ratio, delta, outcome } = figure;
  const scale = scaleOf(figure);
  const sign = ratio !== null ? ratio.center - 1 : (delta?.center ?? 0);
  return {
    shift: shiftOf(figure),
    values:
      baseline === null || comparison === null
        ? null
        : `${printQuantity(baseline.center, scale)} and ${printQuantity(comparison.center, scale)}`,
    look: lookOfOutcome(outcome, sign, metricOf(id).better),
  };
}

/** A row for each site that knows the change of a metric: 0.21 for +21 %. */
export function intervalRows(sites: readonly BatchSite[], id: MetricId): IntervalRow[] {
  return sites.flatMap(({ labels, figures }) => {
    const figure = figures.find((each) => each.id === id);
    if (figure === undefined || figure.ratio === null || figure.outcome === 'refused') return [];
    return [{ name: printLabels(labels), interval: changeOf(figure.ratio), hollow: null }];
  });
}

function changeOf(ratio: Estimate): Estimate {
  return mapEstimate(ratio, (value) => value - 1);
}
