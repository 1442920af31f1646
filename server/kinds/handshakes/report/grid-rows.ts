import type {
  CellResult,
  HandshakesDocument,
  MeasuredCell,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row a cell of the grid, those included that could not be measured, with the reason. */
export function gridRows(document: HandshakesDocument): Table {
  const rows = document.cells.map((result) => columns.map(({ read }) => read(document.id, result)));
  return [columns.map(({ name }) => name), ...rows];
}

type Column = { name: string; read: (id: string, result: CellResult) => Cell };

/** A figure that only measured cells have. */
function measured(name: string, read: (cell: MeasuredCell) => Cell): Column {
  return { name, read: (_, result) => (result.status === 'measured' ? read(result) : null) };
}

const columns: Column[] = [
  { name: 'lab_id', read: (id) => id },
  { name: 'cell', read: (_, { cell }) => cell.id },
  { name: 'version', read: (_, { cell }) => cell.version },
  { name: 'cipher', read: (_, { cell }) => cell.cipher },
  { name: 'key', read: (_, { cell }) => cell.key },
  { name: 'group', read: (_, { cell }) => cell.group },
  { name: 'guess', read: (_, { cell }) => cell.guess },
  { name: 'bytes', read: (_, { cell }) => cell.bytes },
  { name: 'resumption', read: (_, { cell }) => cell.resumption },
  { name: 'status', read: (_, { status }) => status },
  { name: 'reason', read: (_, result) => (result.status === 'measured' ? null : result.reason) },
  measured('connections', ({ connections }) => connections),
  ...(['cpuUs', 'userUs', 'wallUs'] as const).flatMap((spread) =>
    (['mean', 'median', 'p5', 'p95'] as const).map((part) =>
      measured(`${spread.replace('Us', '')}_${part}_us`, (cell) => cell[spread][part]),
    ),
  ),
  measured('connections_per_s', ({ connectionsPerS }) => connectionsPerS),
  measured('ratio', ({ ratio }) => ratio?.center),
  measured('ratio_low', ({ ratio }) => ratio?.lo),
  measured('ratio_high', ({ ratio }) => ratio?.hi),
  measured('handshake_bytes_to_server', ({ wire }) => wire.handshakeBytes.clientToServer),
  measured('handshake_bytes_to_client', ({ wire }) => wire.handshakeBytes.serverToClient),
  measured('with_tickets_bytes_to_server', ({ wire }) => wire.withTicketsBytes.clientToServer),
  measured('with_tickets_bytes_to_client', ({ wire }) => wire.withTicketsBytes.serverToClient),
  measured('flights', ({ wire }) => wire.flights),
  measured('hello_retry', ({ wire }) => wire.helloRetry),
  ...(['client', 'server'] as const).flatMap((end) => [
    measured(`${end}_cpu_us`, ({ ends }) => ends?.[`${end}CpuUs`].center),
    measured(`${end}_cpu_us_low`, ({ ends }) => ends?.[`${end}CpuUs`].lo),
    measured(`${end}_cpu_us_high`, ({ ends }) => ends?.[`${end}CpuUs`].hi),
  ]),
];
