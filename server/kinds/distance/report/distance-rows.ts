import type { MeasuredLink } from '../../../../shared/kinds/comparison/link.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import type {
  DistanceDocument,
  DistancePlace,
  DistanceRow,
} from '../../../../shared/kinds/distance/distance.ts';
import { type Column, intervalColumns, type Table, tableOf } from '../../../base/text/table.ts';

/** One row for each kind of connection on each link, and without one. */
export function distanceRows({ id, links, rows }: DistanceDocument): Table {
  const lines = rows.flatMap((row): Line[] => [
    { id, row, link: null, place: row.here },
    ...row.places.map((place, index) => ({ id, row, link: links[index] ?? null, place })),
  ]);
  return tableOf(columns, lines);
}

type Line = { id: string; row: DistanceRow; link: MeasuredLink | null; place: DistancePlace };

const columns: Column<Line>[] = [
  { name: 'lab_id', read: ({ id }) => id },
  { name: 'connection', read: ({ row }) => row.connection },
  { name: 'link', read: ({ link }) => link && linkWord(link) },
  { name: 'round_trip_ms', read: ({ link }) => link?.roundTripMs ?? 0 },
  { name: 'mbit_per_s', read: ({ link }) => link?.mbitPerS },
  { name: 'added_ms', read: ({ link }) => link?.added?.median },
  { name: 'connections', read: ({ place }) => place.connections },
  ...intervalColumns<Line>('ms', ({ place }) => place.ms),
  ...intervalColumns<Line>('over_tcp_ms', ({ place }) => place.overTcpMs),
  ...intervalColumns<Line>('round_trips', ({ place }) => place.roundTrips),
  { name: 'flights', read: ({ row }) => row.flights },
  { name: 'round_trips_expected', read: ({ row }) => row.expected },
  ...intervalColumns<Line>('slope', ({ row }) => row.slope),
  { name: 'reason', read: ({ row }) => row.reason },
];
