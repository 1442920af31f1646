import { printChange, printChangeInterval, printFactor, printNumber } from '../base/quantity.ts';
import { roundTripsOfFlight, windowsThatSave } from '../kinds/comparison/link.ts';
import { decimalsDividing } from '../kinds/comparison/shift.ts';
import {
  type CellResult,
  certificatesInWords,
  groupInWords,
  type HandshakesDocument,
  handshakesHeadline,
  type MeasuredCell,
  measuredOf,
  sentencesOf,
} from '../kinds/handshakes/handshakes.ts';
import { handshakeSentences, handshakesThenAndNow } from '../studies/handshakes-then-and-now.ts';
import { studies } from '../studies/study-plan.ts';
import {
  type Finding,
  figures,
  leadOf,
  quantities,
  type ReportCell,
  type Section,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** A handshake grid: a row for each cell, both ends, what was not negotiated, and 1997 beside it. */
export function handshakesFinding(document: HandshakesDocument): Finding {
  const { request, plan, cells, plain } = document;
  const grid = typeof request.grid === 'string' ? `the grid "${request.grid}"` : 'a custom grid';
  const measured = cells.filter((cell) => cell.status === 'measured');
  const headline = handshakesHeadline(document);
  return {
    title: headline?.title ?? `What a TLS connection costs: ${grid}`,
    lead: [...leadOf(headline), text(...sentencesOf(document))],
    measured: `${grid}, ${plan.cells} combinations, ${plan.rounds} of ${plan.roundsPlanned} rounds in random order, both ends in one process through memory.`,
    about: [
      `µs CPU: user and system time of both ends, median of up to ${printNumber(plan.connectionsPlanned, 0)} single connections per combination, after ${plan.warmUps} to warm up; user: the user part of it.`,
      ...baselineOf(document),
    ],
    sections: [
      { heading: 'Combinations', parts: [cellTable(document, measured)] },
      endsSection(measured),
      certificateSection(measured),
      {
        id: 'runtime',
        heading: 'Runtime cost',
        lead: 'The same streams, turns, and bytes without TLS. Every figure above includes this cost.',
        parts: [
          table(
            [
              ...texts('Bytes each way'),
              ...quantities(['CPU, µs', 'cpu'], ['5th to 95th percentile', 'percentiles']),
            ],
            plain.map(({ bytes, cpuUs: { median, p5, p95 } }) => [
              whole(bytes),
              whole(median),
              `${whole(p5)} to ${whole(p95)}`,
            ]),
            null,
            plain.map(({ bytes }) => `handshakes/without TLS/${bytes}`),
          ),
        ],
      },
      thenAndNow(cells),
      {
        id: 'not-measured',
        heading: 'Not measured',
        lead: 'Configurations that the library did not negotiate, with its error.',
        parts: [table(texts('Configuration', 'Reason'), othersOf(cells))],
      },
    ],
  };
}

function baselineOf({ baseline }: HandshakesDocument): string[] {
  if (baseline === null) return [];
  return [
    `Change is against ${baseline.cell.id}, ${whole(baseline.cpuUs.median)} µs, in the same round, with 95 % CI.`,
  ];
}

const cellColumns = [
  ...texts('Version', 'Suite', 'Key', 'Group'),
  ...figures('Bytes'),
  ...texts('Session'),
  ...quantities(['µs CPU', 'second'], ['p5', 'p5'], ['p95', 'p95'], ['Mean', 'mean'], ['User', 'user']),
  ...quantities(['Conn/s', 'connections'], ['Change', 'change'], ['95 % CI', 'change']),
  ...figures('Bytes →', 'Bytes ←', 'With tickets', 'Flights'),
];

/** Key of the figures of a cell. */
export function quantityOf({ cell }: MeasuredCell): string {
  return `handshakes/${cell.id}`;
}

function cellTable(document: HandshakesDocument, cells: readonly MeasuredCell[]): TablePart {
  const decimals = decimalsOfCells(document);
  return table(
    cellColumns,
    cells.map((cell) => cellsOf(cell, decimals)),
    null,
    cells.map(quantityOf),
  );
}

/** Decimals of the CPU of all cells, at which a reader who divides them by the baseline’s gets their changes. */
export function decimalsOfCells({ baseline, cells }: Pick<HandshakesDocument, 'baseline' | 'cells'>): number {
  const ratios = measuredOf(cells).flatMap(({ ratio }) => ratio ?? []);
  return baseline === null ? 0 : decimalsDividing(baseline.cpuUs.median, ratios, 0);
}

function cellsOf(
  { cell, cpuUs, userUs, connectionsPerS, ratio, wire }: MeasuredCell,
  decimals: number,
): ReportCell[] {
  return [
    ...[
      cell.version,
      cell.cipher,
      certificatesInWords(cell),
      groupInWords(cell),
      whole(cell.bytes),
      cell.resumption,
    ],
    printNumber(cpuUs.median, decimals),
    ...[cpuUs.p5, cpuUs.p95, cpuUs.mean, userUs.median, connectionsPerS].map(whole),
    ratio === null ? null : printChange(ratio.center),
    ratio === null ? null : printChangeInterval(ratio),
    whole(wire.handshakeBytes.clientToServer),
    whole(wire.handshakeBytes.serverToClient),
    whole(wire.withTicketsBytes.serverToClient),
    `${wire.flights}${wire.helloRetry ? ' HRR' : ''}`,
  ];
}

/** CPU of each end, if the ends were measured in two processes. */
function endsSection(measured: readonly MeasuredCell[]): Section {
  const apart = measured.filter(({ ends }) => ends !== null);
  const labelOf = labelsOf(apart);
  const rows = apart.map((each) => {
    const [server = 0, client = 0] = [each.ends?.serverCpuUs.center, each.ends?.clientCpuUs.center];
    const share = server + client === 0 ? null : `${whole((100 * server) / (server + client))} %`;
    return [`${labelOf(each)}, ${each.cell.resumption}`, whole(server), whole(client), share];
  });
  return {
    id: 'ends',
    heading: 'Server and client separately',
    lead: 'Each end in its own process, connected by a socket. Figures include kernel work on both ends.',
    parts: [
      table(
        [
          ...texts('Connection'),
          ...quantities(['Server, µs', 'server'], ['Client, µs', 'client'], ['Server’s share', 'share']),
        ],
        rows,
        null,
        apart.map(quantityOf),
      ),
    ],
  };
}

/** Chains and their compression, where the grid has any: the server's part of a handshake, and its round trips. */
function certificateSection(measured: readonly MeasuredCell[]): Section {
  const full = measured.filter(({ cell }) => cell.resumption === 'full');
  const hasChains = full.some(({ cell }) => cell.chain !== undefined || cell.compression !== undefined);
  const labelOf = labelsOf(full);
  const rows = (hasChains ? full : []).map((each) => {
    const plain = uncompressedOf(each, full);
    const [bytes, plainBytes] = [each, plain].map((one) => one?.wire.handshakeBytes.serverToClient ?? null);
    const [trips, plainTrips] = [bytes, plainBytes].map((one) =>
      one == null ? null : roundTripsOfFlight(one),
    );
    const saved = (before?: number | null, after?: number | null) =>
      before == null || after == null ? null : whole(before - after);
    return [
      labelOf(each),
      ...[bytes, trips].map((one) => (one == null ? null : whole(one))),
      ...[saved(plainBytes, bytes), saved(plainTrips, trips)],
      plainBytes == null || bytes == null ? null : (windowsThatSave(plainBytes, bytes) ?? 'none'),
    ];
  });
  return {
    id: 'certificates',
    heading: 'Certificates',
    lead: 'The server’s part of a full handshake. In slow start, a server sends 10 segments (14,480 bytes) and waits a round trip before it sends the next 20. Compression saves time only where it saves one, with this initial window or another.',
    parts: [
      table(
        [
          ...texts('Connection'),
          ...quantities(['Bytes', 'bytes'], ['Round trips', 'round-trips']),
          ...quantities(['Bytes saved', 'bytes-saved'], ['Round trips saved', 'round-trips-saved']),
          ...texts('Initial windows that save one'),
        ],
        rows,
        null,
        full.map(quantityOf),
      ),
    ],
  };
}

/** The same cell without compression; undefined for one that has none, and where the grid does not have it. */
function uncompressedOf({ cell }: MeasuredCell, cells: readonly MeasuredCell[]): MeasuredCell | undefined {
  if (cell.compression === undefined) return undefined;
  return cells.find(({ cell: { id } }) => id === cell.id.replace(`+${cell.compression}/`, '/'));
}

const study = studies['ssleay-1997'];

/** Beside the table of 1997, where the grid has its cells. */
function thenAndNow(cells: readonly CellResult[]): Section {
  const rows = handshakesThenAndNow(cells).flatMap(
    ({ old, cell, resumption, thenUserUs, nowUserUs, factor }) =>
      factor === null || nowUserUs === null
        ? []
        : [
            [
              `${old.protocol} ${old.cipher}, RSA ${old.rsaBits}, ${resumption}`,
              cell === null ? null : cell.cipher,
              ...[old.bytesEachWay, thenUserUs, nowUserUs].map(whole),
              printFactor(factor),
            ],
          ],
  );
  return {
    id: 'then-and-now',
    heading: 'Then and now',
    lead: `Compared with ${study.source}, ${study.machine}: user time per connection, both ends.`,
    parts: [
      ...handshakeSentences(cells).map((sentence) => text(sentence)),
      table(
        [
          ...texts('1997', 'Today'),
          ...figures('Bytes'),
          ...quantities(['µs then', 'then'], ['µs now', 'now'], ['Speedup', 'factor']),
        ],
        rows,
        '1997 and today',
        rows.map(([old, , bytes]) => `handshakes/1997/${old}, ${bytes}`),
      ),
    ],
  };
}

/** One row for all sizes and sessions that lack figures for the same reason. */
function othersOf(cells: readonly CellResult[]): [configuration: string, reason: string][] {
  const reasons = cells.flatMap((result): [string, string][] => {
    if (result.status === 'measured') return [];
    const { status, cell, reason } = result;
    const configuration = [cell.version, cell.cipher, certificatesInWords(cell), groupInWords(cell)].filter(
      (part) => part !== null,
    );
    return [[configuration.join(' · '), status === 'failed' ? `failed: ${reason}` : reason]];
  });
  return [...new Map(reasons.map((row) => [row.join(), row])).values()];
}

function whole(value: number): string {
  return printNumber(value, 0);
}

/** Labels of cells, without the parts that all of them share. */
export function labelsOf(cells: readonly MeasuredCell[]): (cell: MeasuredCell) => string {
  const differs = (read: (cell: MeasuredCell) => unknown) => new Set(cells.map(read)).size > 1;
  const versions = differs(({ cell }) => cell.version);
  const suites = differs(({ cell }) => `${cell.version} ${cell.cipher}`);
  const keys = differs(({ cell }) => certificatesInWords(cell));
  const groups = differs(({ cell }) => groupInWords(cell));
  const bytes = differs(({ cell }) => cell.bytes);
  return ({ cell }) => {
    const parts = [
      ...(keys || !groups ? [certificatesInWords(cell)] : []),
      ...(groups || !keys ? [groupInWords(cell) ?? 'RSA encryption'] : []),
      ...(suites ? [shortSuite(cell.cipher)] : []),
      ...(versions ? [printVersion(cell.version)] : []),
      ...(bytes ? [`${printNumber(cell.bytes, 0)} B`] : []),
    ];
    return parts.join(' · ');
  };
}

/** Without what key and group beside it say already: how keys are agreed, and what the server signs with. */
function shortSuite(cipher: string): string {
  return cipher
    .replace(/^TLS_/, '')
    .replaceAll('_', '-')
    .replace(/^(ECDHE|DHE)-(RSA|ECDSA)-/, '')
    .replace(/POLY1305-SHA256$/, 'POLY1305');
}

export function printVersion(version: string): string {
  return version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0');
}
