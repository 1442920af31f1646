import { printQuantity } from '../../../../shared/quantity.ts';
import { DataTable } from '../../../components/data-table.tsx';
import type { Sides } from '../../../format/side.ts';
import { type DistributionView, latencyAt } from './distribution-view.ts';

const rungs = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9];

/** The same rungs for both figures of the distribution. */
export function DistributionTable({ view, sides }: { view: DistributionView; sides: Sides }) {
  const print = (side: 'http' | 'https', percentile: number) =>
    printQuantity(latencyAt(view[side], percentile), view.scale);
  return (
    <DataTable
      caption="Latency at percentiles"
      narrow="scroll"
      rows={rungs.filter((percentile) => percentile <= view.highest)}
      keyOf={(percentile) => percentile}
      columns={[
        { label: 'Percentile', cell: String },
        { label: sides.http.label, numeric: true, cell: (percentile) => print('http', percentile) },
        { label: sides.https.label, numeric: true, cell: (percentile) => print('https', percentile) },
      ]}
    />
  );
}
