import { printNumber, printQuantity } from '../../../../shared/base/quantity.ts';
import type { SideName } from '../../../../shared/base/transport.ts';
import { DataTable } from '../../../components/data-table.tsx';
import type { Sides } from '../../../format/side.ts';
import { type DistributionView, pointAt } from './distribution-view.ts';

const rungs = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9];

type Props = { view: DistributionView; sides: Sides };

/** The same rungs for both figures of the distribution. */
export function DistributionTable({ view, sides }: Props) {
  const { scale } = view;
  const print = (side: SideName, percentile: number) => {
    const { us, interval } = pointAt(view[side], percentile);
    const ends = interval?.map((end) => printNumber(end / scale.divisor, scale.decimals)).join(' to ');
    return ends === undefined ? printQuantity(us, scale) : `${printQuantity(us, scale)} (${ends})`;
  };
  return (
    <DataTable
      caption="Latency at percentiles, with 95 % CIs where the table has them"
      narrow="scroll"
      rows={rungs.filter((percentile) => percentile <= view.highest)}
      keyOf={(percentile) => percentile}
      columns={[
        { label: 'Percentile', cell: String },
        { label: sides.baseline.label, cell: (percentile) => print('baseline', percentile) },
        { label: sides.comparison.label, cell: (percentile) => print('comparison', percentile) },
      ]}
    />
  );
}
