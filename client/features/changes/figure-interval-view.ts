import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { FigureChange, FigureName } from '../../../shared/kinds/comparison/result-changes.ts';
import type { IntervalRow } from '../../components/interval-rows.tsx';

/** Interval rows of two results of the lab. */

const mostFigures = 8;

/** Those that are known, in their order: the certain changes before others, the largest first. */
export function mostChanged(rows: readonly FigureChange[]): FigureChange[] {
  const known = rows.filter(({ outcome }) => outcome !== 'unknown');
  const chosen = new Set(known.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, mostFigures));
  return known.filter((row) => chosen.has(row));
}

/** Below one for what is not certain. */
function weightOf({ ratio, delta, outcome }: FigureChange): number {
  const size = ratio === null ? Math.abs(delta?.center ?? 0) : Math.abs(Math.log(ratio.center));
  return outcome === 'changed' ? 1 + size : size / (1 + size);
}

/** Of names such as `TLSv1.3 / P-256 / full`, the parts in which they differ. */
export function withShortNames(rows: readonly FigureChange[]): FigureChange[] {
  const parts = rows.map(({ name }) => name.split(' / '));
  const differs = (index: number) => new Set(parts.map((each) => each[index])).size > 1;
  return rows.map((row, index) => {
    const name = (parts[index] ?? []).filter((_, place) => differs(place)).join(' / ');
    return name === '' ? row : { ...row, name };
  });
}

/** Two rows for each figure, one below the other; the first is pale. */
export function figureRows(figure: FigureName, rows: readonly FigureChange[]): IntervalRow[] {
  return rows.flatMap(({ name, from, to }) => {
    if (from === null || to === null) return [];
    const place = (estimate: Estimate) =>
      mapEstimate(estimate, (value) => placeOf(figure, value, from.center));
    return [
      { name: `${name}, first`, interval: place(from), hollow: null, pale: true },
      { name: `${name}, second`, interval: place(to), hollow: null },
    ];
  });
}

/** Where a value stands on the axis, beside the center of the first result. */
function placeOf(figure: FigureName, value: number, first: number): number {
  if (figure === 'ms') return value;
  return figure === 'overhead' ? value - 1 : value / first - 1;
}
