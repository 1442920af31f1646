import { linkInShort } from '../../../../shared/kinds/comparison/link.ts';
import {
  connectionTitles,
  type DistanceDocument,
  type DistanceRow,
} from '../../../../shared/kinds/distance/distance.ts';
import { printTrips } from '../../../../shared/kinds/distance/distance-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';

type Props = Pick<DistanceDocument, 'links' | 'rows'>;

/** Shorter than this, a round trip is less than what the machine itself takes. */
const shortestMs = 2;

export function RoundTripTable({ links, rows }: Props) {
  const shown = [...links.entries()].filter(([, { roundTripMs }]) => roundTripMs >= shortestMs);
  return (
    <DataTable
      caption="Round trips to the first byte, with 95 % CI"
      rows={rows}
      keyOf={({ connection }) => connection}
      columns={[
        { label: 'Connection', cell: ({ connection }) => connectionTitles[connection] },
        { label: 'Expected', cell: ({ expected }) => expected ?? '–' },
        { label: 'Measured, all links', cell: ({ slope }) => (slope === null ? '–' : printTrips(slope)) },
        ...shown.map(([index, link]) => ({
          label: linkInShort(link),
          cell: (row: DistanceRow) => {
            const trips = row.places[index]?.roundTrips ?? null;
            return trips === null ? '–' : printTrips(trips);
          },
        })),
      ]}
    />
  );
}
