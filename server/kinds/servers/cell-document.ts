import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  type AbCounts,
  type AbReport,
  type AbSpread,
  type AbTimes,
  abPercents,
  abRatesOf,
  type CellDocument,
  type CellFigures,
  type CellResult,
  type CellSettings,
  type CellSide,
  type ServersCell,
  type ServersFacts,
  type ServersMetric,
  type ServersRequest,
  type ServersVisit,
  type VisitAb,
  type VisitArm,
} from '../../../shared/kinds/servers/servers-result.ts';
import { launchInterval } from '../../method/statistics/intervals.ts';
import { meanOf } from '../../method/statistics/mean.ts';
import type { Frame, Kept } from '../kind.ts';

/** One cell of a sweep with its visits. Throws not_found for one that it does not have. */
export function cellDocumentOf(
  { id, createdAt, state, request }: Pick<Frame<ServersRequest>, 'id' | 'createdAt' | 'state' | 'request'>,
  { facts, blocks }: Kept<ServersFacts, ServersVisit>,
  cellId: string,
): CellDocument {
  const cell = facts.cells.find((each) => each.id === cellId);
  if (cell === undefined) throw problem('not_found', `The sweep has no combination ${cellId}.`);
  const visits = blocks.filter((visit) => visit.cell === cell.index).toSorted((a, b) => a.round - b.round);
  return {
    ...{ id, createdAt, state, rounds: request.rounds, visits },
    result: cellResult(cell, visits),
    server: facts.servers.find(({ name }) => name === cell.settings.server) ?? null,
    reports: { http: medianReport(cell, visits, 'http'), https: medianReport(cell, visits, 'https') },
  };
}

const armOfSide = { http: 'baseline', https: 'comparison' } as const;

/** Report of the round whose rate is the median; the slower of the two in the middle. Null if none was kept. */
function medianReport(cell: ServersCell, visits: readonly ServersVisit[], side: CellSide): AbReport | null {
  const byRate = visits
    .flatMap((visit) => {
      const perS = visit.arms?.[armOfSide[side]]?.ab == null ? null : visit.arms[armOfSide[side]].perS;
      return perS === null ? [] : [{ visit, perS }];
    })
    .toSorted((a, b) => a.perS - b.perS);
  const median = byRate[Math.floor((byRate.length - 1) / 2)];
  return median === undefined ? null : reportOf(cell, median.visit, side, byRate.length);
}

/** @param of rounds that were kept, for the note; null for a round that was asked for */
export function reportOf(
  { settings }: ServersCell,
  visit: ServersVisit,
  side: CellSide,
  of: number | null,
): AbReport | null {
  const kept = visit.arms?.[armOfSide[side]]?.ab ?? null;
  if (kept === null) return null;
  const round = `Round ${visit.round + 1}`;
  const note = of === null || of === 1 ? `${round}.` : `${round} of ${of}, the one with the median rate.`;
  return { round: visit.round, text: printAb(kept, settings, side, note) };
}

/**
 * Figures as ApacheBench 2.3 prints them, label by label and column by column, so that whatever reads its reports reads
 * these. Its banner is not ours to print; notes follow the last line. Source: `output_results` in support/ab.c of httpd 2.4.
 */
export function printAb(
  ab: VisitAb,
  settings: Pick<CellSettings, 'document' | 'concurrency' | 'keepAlive'>,
  side: CellSide,
  note: string,
): string {
  const { serverSoftware, hostname, port, negotiated, timesMs, ladderMs, requests } = ab;
  const lines = [
    'TLS Toll, in the layout of ApacheBench 2.3',
    ...['', ''],
    labeled('Server Software', serverSoftware),
    labeled('Server Hostname', hostname),
    labeled('Server Port', String(port)),
    ...(side === 'https' && negotiated !== null ? tlsLines(negotiated, hostname) : []),
    '',
    labeled('Document Path', `/${settings.document}.html`),
    labeled('Document Length', `${settings.document} bytes`),
    '',
    ...countLines(ab, settings),
    ...(timesMs === null ? [] : timeLines(timesMs)),
    // `ab` has no ladder for a single request.
    ...(ladderMs === null || requests < 2 ? [] : ladderLines(ladderMs)),
    ...['', ...[note, ...notesOn(ab, side)].map((each) => `Note: ${each}`)],
  ];
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\ufffd')}\n`).join('');
}

function labeled(label: string, value: string): string {
  return `${`${label}:`.padEnd(24)}${value}`;
}

/** Bits that are not known are 0. */
function tlsLines({ protocol, cipher, group, key }: NegotiatedTls, hostname: string): string[] {
  const temporaryKey = temporaryKeys[group ?? ''];
  return [
    labeled('SSL/TLS Protocol', [protocol, cipher, keyBits(key ?? ''), cipherBits(cipher)].join(',')),
    ...(temporaryKey === undefined ? [] : [labeled('Server Temp Key', temporaryKey)]),
    ...(/^[\d.]+$|:/.test(hostname) ? [] : [labeled('TLS Server Name', hostname)]),
  ];
}

function countLines(
  ab: AbCounts,
  { concurrency, keepAlive }: Pick<CellSettings, 'concurrency' | 'keepAlive'>,
): string[] {
  const { failed, non2xx, requests, connectionsOpened } = ab;
  const { connect, receive, length, exceptions } = failed;
  const failures = connect + receive + length + exceptions;
  const rates = abRatesOf(ab, concurrency);
  return [
    labeled('Concurrency Level', String(concurrency)),
    labeled('Time taken for tests', `${ab.seconds.toFixed(3)} seconds`),
    labeled('Complete requests', String(requests)),
    labeled('Failed requests', String(failures)),
    ...(failures === 0
      ? []
      : [`   (Connect: ${connect}, Receive: ${receive}, Length: ${length}, Exceptions: ${exceptions})`]),
    ...(non2xx === 0 ? [] : [labeled('Non-2xx responses', String(non2xx))]),
    ...(keepAlive ? [labeled('Keep-Alive requests', String(Math.max(0, requests - connectionsOpened)))] : []),
    labeled('Total transferred', `${ab.totalBytes} bytes`),
    labeled('HTML transferred', `${ab.htmlBytes} bytes`),
    labeled('Requests per second', `${rates.requestsPerS.toFixed(2)} [#/sec] (mean)`),
    labeled('Time per request', `${rates.msPerRequest.toFixed(3)} [ms] (mean)`),
    labeled(
      'Time per request',
      `${rates.msAcrossConcurrent.toFixed(3)} [ms] (mean, across all concurrent requests)`,
    ),
    labeled('Transfer rate', `${rates.kibPerS.toFixed(2)} [Kbytes/sec] received`),
  ];
}

function timeLines({ connect, processing, waiting, total }: AbTimes): string[] {
  return [
    '',
    'Connection Times (ms)',
    '              min  mean[+/-sd] median   max',
    spreadLine('Connect', connect),
    spreadLine('Processing', processing),
    spreadLine('Waiting', waiting),
    spreadLine('Total', total),
  ];
}

function spreadLine(label: string, { min, mean, sd, median, max }: AbSpread): string {
  const columns = [whole(min, 5), whole(mean, 4), sd.toFixed(1).padStart(5), whole(median, 6), whole(max, 7)];
  return `${`${label}:`.padEnd(12)}${columns.join(' ')}`;
}

function ladderLines(ladderMs: readonly number[]): string[] {
  return [
    '',
    'Percentage of the requests served within a certain time (ms)',
    ...abPercents.map(
      (percent, index) =>
        `${`${percent}%`.padStart(5)}  ${whole(ladderMs[index] ?? 0, 5)}${percent === 100 ? ' (longest request)' : ''}`,
    ),
  ];
}

function whole(ms: number, width: number): string {
  return String(Math.round(ms)).padStart(width);
}

/** Sentences on figures that differ from what `ab` would have counted. */
function notesOn({ timesMs, phased }: AbCounts, side: CellSide): string[] {
  const opened = timesMs !== null && timesMs.connect.max > 0;
  return [
    ...(side === 'http'
      ? []
      : [
          'Total transferred and Transfer rate count bytes on the wire, TLS records included; ab counts what they hold.',
        ]),
    ...(timesMs === null || phased ? [] : ['Connect and Waiting were not recorded.']),
    ...(opened && side === 'https' ? [combined('Connect', 'TCP’s and the TLS handshake’s')] : []),
    ...(opened ? [combined('Processing', 'those up to the first byte and from there to the last')] : []),
  ];
}

function combined(row: string, parts: string): string {
  return `${row}: min, sd, median and max are put together from ${parts}; only the mean is exact.`;
}

/** Bits of `RSA 2048`, `EC P-256`. */
function keyBits(key: string): number {
  return Number(key.split(/\D+/).at(-1));
}

/** Bits of `TLS_AES_128_GCM_SHA256`, `ECDHE-RSA-AES128-GCM-SHA256`. */
function cipherBits(cipher: string): number {
  if (cipher.includes('CHACHA20')) return 256;
  return Number(/(?:AES|ARIA|CAMELLIA)_?(\d{3})/.exec(cipher)?.[1] ?? 0);
}

const temporaryKeys: Record<string, string> = {
  X25519: 'X25519 253 bits',
  X448: 'X448 448 bits',
  ...ecdh('prime256v1', 'P-256', 256),
  ...ecdh('secp384r1', 'P-384', 384),
  ...ecdh('secp521r1', 'P-521', 521),
};

/** Under both names of a curve. */
function ecdh(name: string, other: string, bits: number): Record<string, string> {
  const line = `ECDH ${name} ${bits} bits`;
  return { [name]: line, [other]: line };
}

/** Result of one cell, over its visits: each round starts the servers anew, so each is a launch of its own. */
export function cellResult(cell: ServersCell, visits: readonly ServersVisit[]): CellResult {
  const own = visits.filter((visit) => visit.cell === cell.index);
  const sides = own.flatMap((visit) => Object.values<VisitArm>(visit.arms ?? {}));
  const requests = sides.reduce((sum, { requests }) => sum + requests, 0);
  const errors = sides.reduce((sum, { errors }) => sum + errors, 0);
  return {
    cell,
    visits: own.filter((visit) => visit.arms !== null).length,
    failures: [...new Set(own.flatMap(({ failure }) => failure ?? []))],
    errorShare: requests + errors === 0 ? null : errors / (requests + errors),
    generatorLimited: isGeneratorLimited(own),
    throughput: figuresOf('throughput', own),
    cpu: figuresOf('cpu', own),
    latency: figuresOf('latency', own),
  };
}

/** Both have a core: whoever needs more of it for a request sets the pace. */
function isGeneratorLimited(visits: readonly ServersVisit[]): boolean {
  return (['baseline', 'comparison'] as const).some((arm) => {
    const known = visits.flatMap(({ arms: measured }) => {
      const { generatorCpuUs, cpuUs = null } = measured?.[arm] ?? {};
      return generatorCpuUs === undefined || cpuUs === null ? [] : [generatorCpuUs - cpuUs];
    });
    return known.length > 0 && meanOf(known) > 0;
  });
}

/** Logarithms of what a visit says of a metric; null where it says nothing. */
export function readVisit(
  metric: ServersMetric,
  { arms: measured }: Pick<ServersVisit, 'arms'>,
): { http: number; https: number; twin: number } | null {
  if (measured === null) return null;
  const [baseline, comparison, twin] = [measured.baseline, measured.comparison, measured.twin].map((arm) =>
    quantityOf(metric, arm),
  );
  if (!baseline || !comparison || !twin) return null;
  return {
    http: (Math.log(baseline) + Math.log(twin)) / 2,
    https: Math.log(comparison),
    twin: Math.log(twin / baseline),
  };
}

/** Readings of all visits that have the metric. */
export function readingsOf(metric: ServersMetric, visits: readonly ServersVisit[]) {
  return visits.flatMap((visit) => {
    const reading = readVisit(metric, visit);
    return reading === null ? [] : [{ cell: visit.cell, round: visit.round, ...reading }];
  });
}

function quantityOf(metric: ServersMetric, { perS, cpuUs, medianUs }: VisitArm): number | null {
  if (metric === 'throughput') return perS;
  return metric === 'cpu' ? cpuUs : medianUs;
}

function figuresOf(metric: ServersMetric, visits: readonly ServersVisit[]): CellFigures | null {
  const read = readingsOf(metric, visits);
  const over = (of: (reading: (typeof read)[number]) => number): Estimate | null => {
    const units = read.map((reading) => ({ launch: reading.round, value: of(reading) }));
    return mapEstimate(launchInterval(units), Math.exp);
  };
  const [http, https, ratio, twinRatio] = [
    over((each) => each.http),
    over((each) => each.https),
    over((each) => each.https - each.http),
    over((each) => each.twin),
  ];
  return http === null || https === null || ratio === null || twinRatio === null
    ? null
    : { http, https, ratio, twinRatio };
}
