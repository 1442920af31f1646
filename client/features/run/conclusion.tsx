import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { printQuantity } from '../../../shared/base/quantity.ts';
import type { BySide } from '../../../shared/base/transport.ts';
import { ciOf, type MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { scaleOf, shiftOf } from '../../../shared/kinds/comparison/shift.ts';
import { parseViewState, printViewState, type ViewState } from '../../../shared/results/shown-measurement.ts';
import { Notice } from '../../components/card.tsx';
import { printCount } from '../../format/printed-figures.ts';

export function EmptyFigure({ children }: { children: string }) {
  return (
    <Notice tone="quiet">
      <p>{children}</p>
    </Notice>
  );
}

/**
 * Both sides and what follows, in one sentence without its full stop.
 * @param limit that a difference stays within if it is too small to matter: `within ±5 %`
 */
export function concludeInWords(
  row: MetricComparison,
  title: string,
  labels: BySide<string>,
  limit: string,
): string {
  const { baseline, comparison } = row;
  const scale = scaleOf(row);
  const sides =
    baseline === null || comparison === null
      ? 'not measured on both sides'
      : `${printQuantity(baseline.center, scale)} with ${labels.baseline}, ${printQuantity(comparison.center, scale)} with ${labels.comparison}`;
  return `${title}: ${sides}; ${judgement(row, limit)}`;
}

function judgement(row: MetricComparison, limit: string): string {
  const shift = shiftOf(row);
  if (shift === null) return 'the difference is not shown; the table gives the reason';
  switch (row.outcome) {
    case 'overhead':
      return `${shift.center}, ${ciOf(row)} ${shift.interval}${overLaunches(row)}`;
    case 'no_overhead':
      return row.ratio === null ? 'no difference above the noise' : `${shift.center}, ${limit}`;
    case 'not_tested':
      return `not tested, somewhere from ${shift.interval}${overLaunches(row)}`;
    default:
      return `unclear, somewhere from ${shift.interval}${overLaunches(row)}`;
  }
}

function overLaunches({ launches }: MetricComparison): string {
  return launches.length < 2 ? '' : ` over ${printCount(launches.length, 'start')}`;
}

/** State of the view in the address. Every change is an entry of the history, so Back undoes it. */
export function useViewState(): [ViewState, (change: Partial<ViewState>) => void] {
  const { search, hash, pathname } = useLocation();
  const navigate = useNavigate();
  const view = useMemo(() => parseViewState(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (part: Partial<ViewState>) => {
      const query = printViewState({ ...view, ...part }).toString();
      void navigate({ pathname, search: query, hash });
    },
    [view, navigate, pathname, hash],
  );
  return [view, change];
}
