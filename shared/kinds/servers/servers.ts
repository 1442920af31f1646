import { z } from 'zod';
import { lowered } from '../../base/cut.ts';
import { excludes } from '../../base/estimate-arithmetic.ts';
import { type Option, printOption } from '../../base/option.ts';
import { countSchema, type Estimate, nonNegativeSchema } from '../../base/units.ts';
import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';
import { type Headline, lifeEvents } from '../../measurement/measurement.ts';
import type { Phase } from '../../measurement/progress.ts';
import { type ManagedTarget, managedTargetSchema } from '../../target/target.ts';
import { differenceBy, type PrintedDifference, printDifferenceOf } from '../comparison/shift.ts';
import { factorTable } from './options.ts';
import {
  type FactorName,
  type LevelGroup,
  type ServersCell,
  type ServersDocument,
  type ServersRequest,
  serversDocumentSchema,
  serversFactsSchema,
  serversRequestSchema,
  serversVisitSchema,
} from './servers-result.ts';

type Found = Pick<ServersDocument, 'cells' | 'levels'>;
type Measured = 'cpu' | 'throughput';

/** A server, another level, or a cell, with what HTTPS costs there. */
type Place = { name: string; delta: Estimate; printed: PrintedDifference };

/**
 * Places in which HTTPS costs least and most: by server where several were measured, otherwise by the first factor that varies. In server CPU,
 * or in requests per second where that was not read. Null before there are figures.
 */
export function serversHeadline(found: Found): Headline | null {
  const metric = found.cells.some(({ cpu }) => cpu !== null) ? 'cpu' : 'throughput';
  const costs = metric === 'cpu' ? 1 : -1;
  const places = placesOf(found, metric).toSorted((a, b) => costs * (a.delta.center - b.delta.center));
  const [least, most] = [places[0], places.at(-1)];
  if (least === undefined || most === undefined) return null;
  const noun = metric === 'cpu' ? 'CPU per request' : 'throughput';
  if (places.length === 1)
    return { title: `HTTPS costs ${amountAt(least)} ${noun} ${least.name}`, second: shareAt(least) };
  const isApart = costs > 0 ? least.delta.hi < most.delta.lo : most.delta.hi < least.delta.lo;
  if (!isApart) {
    const isRange = [least, most].every(({ delta }) => (costs > 0 ? delta.lo > 0 : delta.hi < 0));
    return {
      title: `HTTPS costs ${isRange ? `${least.printed.amount} to ${amountAt(most)} ${noun}` : `${amountAt(most)} ${noun} ${most.name}`}`,
      second: `${shareAt(least)} ${least.name}, ${shareAt(most)} ${most.name}; their order is not certain`,
    };
  }
  return {
    title: `HTTPS costs least ${least.name}: ${amountAt(least)} ${noun}`,
    second: `${shareAt(least)}; most ${most.name}: ${most.printed.amount}, ${shareAt(most)}`,
  };
}

function placesOf({ cells, levels }: Found, metric: Measured): Place[] {
  const single = levels.filter(({ factors, groups }) => factors.length === 1 && groups.length > 1);
  const view = single.find(({ factors: [factor] }) => factor === 'server') ?? single[0];
  const [factor = 'server'] = view?.factors ?? [];
  const groups = (view?.groups ?? []).map((group) => ({
    name: nameOfLevel(factor, group.levels[0] ?? null),
    figures: group[metric],
  }));
  const all =
    groups.length > 0
      ? groups
      : cells.map((cell) => ({ name: `on ${cell.cell.settings.server}`, figures: cell[metric] }));
  return all.flatMap(({ name, figures }) => {
    if (figures === null) return [];
    const row = differenceBy(metric === 'cpu' ? 'us' : 'transactions/s', figures.http.center, figures.ratio);
    const printed = printDifferenceOf(row);
    return printed === null || row.delta === null ? [] : [{ name, delta: row.delta, printed }];
  });
}

/** `on nginx`, `with key RSA-2048`. */
export function nameOfLevel(factor: FactorName, level: LevelGroup['levels'][number]): string {
  if (factor === 'server') return `on ${level}`;
  const option: Option = factorTable[factor];
  return `with ${lowered(option.label)} ${printOption(option, level)}`;
}

/** `13 µs more`. */
function amountAt({ delta, printed }: Place): string {
  if (!excludes(delta, 0)) return 'no measurable';
  return `${printed.amount} ${delta.center > 0 ? 'more' : 'less'}`;
}

/** `+62 % (21 → 34 µs)`. */
function shareAt({ printed }: Place): string {
  return `${printed.change?.signed} (${printed.values})`;
}

/** Length of one visit to a cell: three arms in bursts, in random order. */
export const visitMs = 900;
/**
 * Pointing the generator at the cell, opening its connections, and a burst that does not count: the mean over the preset of
 * 108 cells, up to 320 TLS connections with RSA-4096, on two cores.
 */
const pointingMs = 750;
/** Starting and ending the servers of a group. */
const serversMs = 900;

/** Seconds of one round. */
function serversRoundS(cells: readonly ServersCell[]): number {
  return (cells.length * (visitMs + pointingMs) + groupCells(cells).length * serversMs) / 1000;
}

export function serversPhases(
  { rounds }: Pick<ServersRequest, 'rounds'>,
  cells: readonly ServersCell[],
  visitsBefore: number,
): Phase<'measuring'>[] {
  const visits = rounds * cells.length;
  const left = visits === 0 ? 0 : Math.max(0, visits - visitsBefore) / visits;
  return [{ name: 'measuring', seconds: left * serversS({ rounds }, cells), steps: cells.length, rounds }];
}

export function serversS({ rounds }: Pick<ServersRequest, 'rounds'>, cells: readonly ServersCell[]): number {
  return rounds * serversRoundS(cells);
}

/** Cells that the same servers can serve: everything else is the client's choice. */
export type CellGroup = { target: ManagedTarget; cells: ServersCell[] };

export function groupCells(cells: readonly ServersCell[]): CellGroup[] {
  const groups = Map.groupBy(cells, ({ settings: { server, key, clientCertificates, kTls } }) =>
    [server, key, clientCertificates, kTls].join(' '),
  );
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const { server, key, clientCertificates, kTls } = first.settings;
    const documents = [...new Set(of.map(({ settings }) => settings.document))].sort((a, b) => a - b);
    return [
      {
        target: managedTargetSchema.parse({
          kind: 'managed',
          server,
          key,
          clientCertificates,
          kTls,
          documents,
        }),
        cells: of,
      },
    ];
  });
}

/** Live event of a sweep over servers, for each visit to a cell when it ends. Provisional: never a result. */
const serversVisitEventSchema = z.strictObject({
  type: z.literal('visit'),
  round: countSchema,
  /** Its id. */
  cell: z.string(),
  httpPerS: nonNegativeSchema.nullable(),
  httpsPerS: nonNegativeSchema.nullable(),
  failure: z.string().nullable(),
});

const serversEventsSchema = z.discriminatedUnion('type', [...lifeEvents, serversVisitEventSchema]);
export type ServersEvent = z.infer<typeof serversEventsSchema>;

/** Schemas of the kind. */
export const servers = {
  request: serversRequestSchema,
  facts: serversFactsSchema,
  block: serversVisitSchema,
  document: serversDocumentSchema,
  event: serversEventsSchema,
};

/** SQL view of the cells of a sweep over servers. */
export const serversHistory: HistoryView = {
  name: 'v_servers',
  table: 'server_figures',
  row: 'one row for each combination of a sweep over servers',
  columns: [
    { name: 'cell', type: 'text', about: 'Name of the combination' },
    { name: 'server', type: 'text', about: 'The server, such as nginx' },
    { name: 'protocol', type: 'text', about: 'TLSv1.3 or TLSv1.2' },
    { name: 'cipher', type: 'text', about: 'Null for the library’s choice' },
    { name: 'key', type: 'text', about: 'Key of the certificate' },
    { name: 'keep_alive', type: 'boolean', about: 'Whether connections stay open' },
    { name: 'resumption', type: 'boolean', about: 'Whether new connections resume a session' },
    {
      name: 'client_certificates',
      type: 'boolean',
      about: 'Whether clients show a certificate (mutual TLS)',
    },
    { name: 'k_tls', type: 'boolean', about: 'Whether the kernel encrypts' },
    { name: 'concurrency', type: 'integer', about: 'Connections open at the same time' },
    { name: 'document_bytes', type: 'integer', about: 'Size of the document' },
    { name: 'visits', type: 'integer', about: 'Visits that succeeded' },
    { name: 'error_share', type: 'real', about: 'Share of the requests that failed, 0 to 1' },
    {
      name: 'generator_limited',
      type: 'boolean',
      about: 'Whether the load generator set the rate; requests per second are then a lower bound',
    },
    ...estimateColumns('throughput_http_per_s', 'Requests per second over HTTP'),
    ...estimateColumns('throughput_https_per_s', 'Requests per second over HTTPS'),
    ...estimateColumns('throughput_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns(
      'throughput_twin_ratio',
      'HTTP measured a second time, divided by HTTP; 1 without noise',
    ),
    ...estimateColumns('cpu_http_us', 'Server CPU per request over HTTP at full load, µs'),
    ...estimateColumns('cpu_https_us', 'Server CPU per request over HTTPS at full load, µs'),
    ...estimateColumns('cpu_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns('cpu_twin_ratio', 'HTTP measured a second time, divided by HTTP; 1 without noise'),
    ...estimateColumns('latency_http_us', 'Median latency over HTTP, µs'),
    ...estimateColumns('latency_https_us', 'Median latency over HTTPS, µs'),
    ...estimateColumns('latency_ratio', 'HTTPS divided by HTTP'),
    ...estimateColumns('latency_twin_ratio', 'HTTP measured a second time, divided by HTTP; 1 without noise'),
  ],
};
