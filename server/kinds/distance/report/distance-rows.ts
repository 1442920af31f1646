import type { MeasuredLink } from '../../../../shared/kinds/comparison/link.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import type {
  DistanceDocument,
  DistancePlace,
  DistanceRow,
} from '../../../../shared/kinds/distance/distance.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row for each kind of connection on each link, and without one. */
export function distanceRows({ id, links, rows }: DistanceDocument): Table {
  const lines = rows.flatMap((row) => [
    lineOf(id, row, null, row.here),
    ...row.places.map((place, index) => lineOf(id, row, links[index] ?? null, place)),
  ]);
  return [header, ...lines];
}

const header = [
  ...['lab_id', 'connection', 'link', 'round_trip_ms', 'mbit_per_s', 'added_ms', 'connections'],
  ...[
    'ms',
    'ms_low',
    'ms_high',
    'over_tcp_ms',
    'over_tcp_ms_low',
    'over_tcp_ms_high',
    'round_trips',
    'round_trips_low',
    'round_trips_high',
  ],
  ...['flights', 'round_trips_expected', 'slope', 'slope_low', 'slope_high', 'reason'],
];

function lineOf(id: string, row: DistanceRow, link: MeasuredLink | null, place: DistancePlace): Cell[] {
  const { ms, overTcpMs, roundTrips } = place;
  const { slope } = row;
  return [
    ...[id, row.connection, link === null ? null : linkWord(link), link?.roundTripMs ?? 0],
    ...[link?.mbitPerS, link?.added?.median, place.connections, ms?.center, ms?.lo, ms?.hi],
    ...[overTcpMs?.center, overTcpMs?.lo, overTcpMs?.hi],
    ...[roundTrips?.center, roundTrips?.lo, roundTrips?.hi, row.flights, row.expected],
    ...[slope?.center, slope?.lo, slope?.hi, row.reason],
  ];
}
