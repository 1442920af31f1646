import { linkInShort } from '../../../../shared/kinds/comparison/link.ts';
import {
  connectionTitles,
  type DistanceDocument,
  type DistanceRow,
} from '../../../../shared/kinds/distance/distance.ts';
import { printMsEstimate } from '../../../../shared/kinds/distance/distance-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';

type Props = Pick<DistanceDocument, 'links' | 'rows'>;

export function DistanceTable({ links, rows }: Props) {
  const timeAt = (of: DistanceRow, place: number | null) => {
    const ms = (place === null ? of.here : of.places[place])?.ms ?? null;
    return ms === null ? '–' : printMsEstimate(ms);
  };
  return (
    <DataTable
      caption="From the beginning of a connection to the first byte, ms with 95 % CI"
      testId="distances"
      rows={rows}
      keyOf={({ connection }) => connection}
      columns={[
        { label: 'Connection', cell: ({ connection }) => connectionTitles[connection] },
        { label: 'No link', cell: (row) => timeAt(row, null) },
        ...links.map((link, index) => ({
          label: linkInShort(link),
          cell: (row: DistanceRow) => timeAt(row, index),
        })),
      ]}
    />
  );
}
