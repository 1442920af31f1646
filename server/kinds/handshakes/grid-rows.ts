import type { Estimate } from '../../../shared/base/estimate.ts';
import { flagsOf } from '../../../shared/base/option.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type {
  CellResult,
  HandshakesDocument,
  HandshakesRequest,
  MeasuredCell,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, presetOptions } from '../../../shared/kinds/handshakes/options.ts';
import { type Cell, type Column, intervalColumns, type Table, tableOf } from '../../base/text/terminal.ts';
import type { FigureComparison } from '../compare-figures.ts';

/** One row a cell of the grid, those included that could not be measured, with the reason. */
export function gridRows(document: HandshakesDocument): Table {
  return tableOf(
    columns,
    document.cells.map((result) => ({ id: document.id, result })),
  );
}

type Row = { id: string; result: CellResult };

/** A figure that only measured cells have. */
function measured(name: string, read: (cell: MeasuredCell) => Cell): Column<Row> {
  return { name, read: ({ result }) => (result.status === 'measured' ? read(result) : null) };
}

function interval(name: string, read: (cell: MeasuredCell) => Estimate | null | undefined): Column<Row>[] {
  return intervalColumns(name, ({ result }) => (result.status === 'measured' ? read(result) : null));
}

const columns: Column<Row>[] = [
  { name: 'lab_id', read: ({ id }) => id },
  { name: 'cell', read: ({ result }) => result.cell.id },
  { name: 'version', read: ({ result }) => result.cell.version },
  { name: 'cipher', read: ({ result }) => result.cell.cipher },
  { name: 'key', read: ({ result }) => result.cell.key },
  { name: 'group', read: ({ result }) => result.cell.group },
  { name: 'guess', read: ({ result }) => result.cell.guess },
  { name: 'bytes', read: ({ result }) => result.cell.bytes },
  { name: 'resumption', read: ({ result }) => result.cell.resumption },
  { name: 'status', read: ({ result }) => result.status },
  { name: 'reason', read: ({ result }) => (result.status === 'measured' ? null : result.reason) },
  measured('connections', ({ connections }) => connections),
  ...(['cpuUs', 'userUs', 'wallUs'] as const).flatMap((spread) =>
    (['mean', 'median', 'p5', 'p95'] as const).map((part) =>
      measured(`${spread.replace('Us', '')}_${part}_us`, (cell) => cell[spread][part]),
    ),
  ),
  measured('connections_per_s', ({ connectionsPerS }) => connectionsPerS),
  ...interval('ratio', ({ ratio }) => ratio),
  measured('handshake_bytes_to_server', ({ wire }) => wire.handshakeBytes.clientToServer),
  measured('handshake_bytes_to_client', ({ wire }) => wire.handshakeBytes.serverToClient),
  measured('with_tickets_bytes_to_server', ({ wire }) => wire.withTicketsBytes.clientToServer),
  measured('with_tickets_bytes_to_client', ({ wire }) => wire.withTicketsBytes.serverToClient),
  measured('flights', ({ wire }) => wire.flights),
  measured('hello_retry', ({ wire }) => wire.helloRetry),
  ...interval('client_cpu_us', ({ ends }) => ends?.clientCpuUs),
  ...interval('server_cpu_us', ({ ends }) => ends?.serverCpuUs),
];

/** Two grids are compared by their ratios to the baseline cell, so that the speed of a machine cancels. */
export const handshakeChanges: FigureComparison<HandshakesDocument> = {
  kind: 'handshakes',
  figure: 'multiple',
  lead: 'CPU per connection as a multiple of the baseline cell’s in the same measurement.',
  figuresOf: ({ cells }) =>
    cells.flatMap((result) =>
      result.status === 'measured' && result.ratio !== null
        ? [{ id: result.cell.id, name: result.cell.id.replaceAll('/', ' / '), estimate: result.ratio }]
        : [],
    ),
  setupOf: ({ plan, baseline }) => [
    { name: 'Rounds', value: printNumber(plan.rounds, 0) },
    { name: 'Baseline cell', value: baseline?.cell.id ?? 'none' },
  ],
};

/** The command that repeats a measurement: the same cells, in the same order where one has been drawn. */
export function handshakesCommand(request: HandshakesRequest, seed: number | null): string {
  const { grid } = request;
  const [only, other] = typeof grid === 'string' ? [] : (grid.resumption ?? []);
  return [
    'npx tls-toll handshakes',
    ...flagsOf(typeof grid === 'string' ? presetOptions : axes, request),
    ...(only === undefined || other !== undefined ? [] : [only === 'resumed' ? '--reuse' : '--no-reuse']),
    ...flagsOf(others, { ...request, seed }),
  ].join(' ');
}

const axes = gridOptions.filter(({ part }) => part === 'grid');
const others = gridOptions.filter(({ part }) => part === null);
