import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { printInterval } from '../../format/interval.ts';
import { isBeyondNoise, type LineChange, lineChanges } from '../../format/line-changes.ts';
import type { SizeQuantity } from './time-series.ts';

type Props = { later: SizesDocument; earlier: SizesDocument; what: SizeQuantity };

/** What changed in the lines of two sweeps, with 95 % intervals. */
export function OverlayTable({ later, earlier, what }: Props) {
  const changes = lineChanges(later, earlier, what);
  if (changes.length === 0) return <p>No side has a line in both sweeps.</p>;
  return (
    <DataTable
      caption="Changes between the sweeps, 95 % CI"
      narrow="cards"
      rows={changes}
      keyOf={({ arm, term, percent }) => `${arm} ${term} ${percent}`}
      columns={[
        { label: 'Line', cell: (row) => `${row.arm}: ${nameOf(row, what)}` },
        { label: 'Then', numeric: true, cell: (row) => printValue(row, row.earlier) },
        { label: 'Now', numeric: true, cell: (row) => printValue(row, row.later) },
        {
          label: 'Change',
          numeric: true,
          cell: (row) => (row.change === null ? '–' : printValue(row, row.change)),
        },
        {
          label: 'Outside both intervals',
          numeric: false,
          cell: (row) => (row.change === null ? '–' : isBeyondNoise(row) ? 'yes' : 'no'),
        },
      ]}
    />
  );
}

function nameOf({ term, percent }: LineChange, what: SizeQuantity): string {
  if (term === 'offset') return 'Offset, µs';
  if (term === 'rate') return what === 'latency' ? 'Rate, bytes/ms' : 'Bytes per ms of CPU';
  if (term === 'record') return 'Per TLS record, µs';
  return `Overhead below ${percent} % from, bytes`;
}

function printValue({ term }: LineChange, value: Estimate | null): string {
  if (value === null) return term === 'crossover' ? 'not in this range' : 'no clear limit';
  const decimals = term === 'offset' || term === 'record' ? 1 : 0;
  return Number.isNaN(value.lo) || Number.isNaN(value.hi)
    ? `${printNumber(value.center, decimals)} (interval outside this range)`
    : printInterval(value, decimals);
}
