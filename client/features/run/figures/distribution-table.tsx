import { printQuantity } from '../../../../shared/quantity.ts';
import type { SideName } from '../../../../shared/transport.ts';
import { DataTable } from '../../../components/data-table.tsx';
import type { Sides } from '../../../format/side.ts';
import { type DistributionView, latencyAt } from './distribution-view.ts';

const rungs = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9];

/** The same rungs for both figures of the distribution. */
export function DistributionTable({ view, sides }: { view: DistributionView; sides: Sides }) {
  const print = (side: SideName, percentile: number) =>
    printQuantity(latencyAt(view[side], percentile), view.scale);
  return (
    <DataTable
      caption="Latency at percentiles"
      narrow="scroll"
      rows={rungs.filter((percentile) => percentile <= view.highest)}
      keyOf={(percentile) => percentile}
      columns={[
        { label: 'Percentile', cell: String },
        { label: sides.baseline.label, numeric: true, cell: (percentile) => print('baseline', percentile) },
        {
          label: sides.comparison.label,
          numeric: true,
          cell: (percentile) => print('comparison', percentile),
        },
      ]}
    />
  );
}
