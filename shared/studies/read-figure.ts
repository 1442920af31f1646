import { exactly } from '../base/estimate-arithmetic.ts';
import { printNumber } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import { metricOf } from '../kinds/comparison/metric.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { type DistanceDocument, farthestOf } from '../kinds/distance/distance.ts';
import type {
  CellResult,
  HandshakeCell,
  HandshakesDocument,
  MeasuredCell,
} from '../kinds/handshakes/handshakes.ts';
import type { MeshDocument } from '../kinds/mesh/mesh.ts';
import { type SpeedDocument, type SpeedRow, speedSizes } from '../kinds/speed/speed.ts';
import type { VisitsDocument } from '../kinds/visits/visits.ts';
import type { MeasurementDocument } from '../results/kinds.ts';
import { fieldClaims, pairedFigures, wongClaims } from './field-claims.ts';
import { ssleayClaims } from './handshakes-then-and-now.ts';
import { malmgrenClaims, openssl2005Keys } from './malmgren-2011.ts';
import { readServers, speedClaims } from './read-servers.ts';
import { readSizes, webperfClaims } from './read-sizes.ts';
import {
  about,
  type CellShape,
  type Claim,
  type ComparisonFigure,
  type Figure,
  type HandshakesFigure,
  inverseOf,
  type MeshFigure,
  mapped,
  quotientOf,
  type Read,
  type SpeedFigure,
} from './study-figure.ts';

/** The figure of any finished document. */
export function readFigure(figure: Figure, document: MeasurementDocument): Read {
  if (figure.kind === 'comparison' && document.kind === 'comparison') return readComparison(figure, document);
  if (figure.kind === 'speed' && document.kind === 'speed') return readSpeed(figure, document);
  if (figure.kind === 'handshakes' && document.kind === 'handshakes') return readHandshakes(figure, document);
  if (figure.kind === 'sizes' && document.kind === 'sizes') return readSizes(figure, document);
  if (figure.kind === 'servers' && document.kind === 'servers') return readServers(figure, document);
  if (figure.kind === 'distance' && document.kind === 'distance') return readDistance(document);
  if (figure.kind === 'visits' && document.kind === 'visits') return readVisits(document);
  if (figure.kind === 'mesh' && document.kind === 'mesh') return readMesh(figure, document);
  throw new Error(`a ${figure.kind} figure of a ${document.kind} document`);
}

/** Figures of the speed table: those of `openssl speed`, where it has them. */
function readSpeed(
  { row: id, over }: SpeedFigure,
  document: Pick<SpeedDocument, 'rows' | 'unavailable'>,
): Read {
  const row = document.rows.find((each) => each.id === id);
  const other = document.rows.find((each) => each.id === over);
  if (row === undefined) return { missing: whyMissing(id, document) };
  if (over === undefined) return [{ values: [row.bytes === null ? rateOf(row) : megabytesOf(row)] }];
  if (other === undefined) return { missing: whyMissing(over, document) };
  return [{ values: [quotientOf(rateOf(row), rateOf(other))] }];
}

function rateOf({ openssl, operationsPerS }: SpeedRow): Estimate {
  return openssl.status === 'measured' ? openssl.operationsPerS : operationsPerS;
}

function megabytesOf(row: SpeedRow): Estimate {
  return mapped(rateOf(row), (perS) => (perS * (row.bytes ?? 0)) / 1e6);
}

function whyMissing(id: string, { unavailable }: Pick<SpeedDocument, 'unavailable'>): string {
  const [primitive = '', , bytes] = id.split('/');
  const found = unavailable.find((each) => each.primitive === primitive);
  if (found !== undefined) return `${primitive} is not in OpenSSL here: ${found.reason}`;
  const size = Number(bytes);
  if (bytes !== undefined && !speedSizes.some((each) => each === size))
    return `Inputs of ${printNumber(size, 0)} bytes are not measured.`;
  return `${primitive} is not part of the speed table.`;
}

/** Figures of the kinds that answer one claim or two. */

function readDistance({ links, rows }: Pick<DistanceDocument, 'links' | 'rows'>): Read {
  const far = farthestOf(links);
  const at = (name: string) => rows.find(({ connection }) => connection === name);
  const [full, resumed] = [at('tls13'), at('tls13-resumed')];
  const [fullMs, resumedMs] = [full?.places[far]?.ms, resumed?.places[far]?.ms];
  if (fullMs == null || resumedMs == null)
    return { missing: full?.reason ?? resumed?.reason ?? 'The longest link was not measured.' };
  return [{ values: [quotientOf(resumedMs, fullMs)] }];
}

function readVisits({ rows }: Pick<VisitsDocument, 'rows'>): Read {
  const row = rows.find(({ pass, time }) => pass === 'warm' && time === 'loadUs');
  if (row?.ratio == null) return { missing: row?.reasons[0] ?? 'No second visit was measured.' };
  const refused = row.outcome === 'refused' ? { doubt: row.reasons[0] ?? 'It is not available.' } : {};
  return [{ values: [mapped(row.ratio, (ratio) => 100 * (ratio - 1))], ...refused }];
}

const fewLaunches = { missing: 'Fewer than three starts were measured.' };

function readMesh(
  { of }: MeshFigure,
  { arms, cpu, latency }: Pick<MeshDocument, 'arms' | 'cpu' | 'latency'>,
): Read {
  if (of === 'sidecar vCPU') {
    const parts = arms.find(({ arm }) => arm === 'secure')?.parts ?? [];
    const proxy = parts.find(({ role }) => role === 'proxy');
    return proxy === undefined ? fewLaunches : [{ values: [mapped(proxy.cpuUs, (us) => us / 1000)] }];
  }
  const { proxy, tls } = of === 'CPU of TLS' ? cpu : latency;
  if (proxy === null || tls === null) return fewLaunches;
  if (of === 'CPU of TLS') {
    // Both are shares of a direct request: of what the proxies take without TLS, it is less.
    const whole = 1 + proxy.percent.center / 100;
    return [{ values: [mapped(tls.percent, (percent) => percent / whole)] }];
  }
  const center = proxy.percent.center + tls.percent.center;
  const half = Math.hypot(...[proxy, tls].map(({ percent: { lo, hi } }) => (hi - lo) / 2));
  return [{ values: [{ center, lo: center - half, hi: center + half }] }];
}

/**
 * Figures of a grid. A cell's mean has no interval of its own: it gets that of its ratio to the baseline cell, which is what
 * the rounds know of it.
 */
function readHandshakes(figure: HandshakesFigure, { cells }: Pick<HandshakesDocument, 'cells'>): Read {
  const found = cellOf(figure.cell, cells);
  if ('missing' in found) return found;
  if (figure.of === 'user time') return [{ values: [withInterval(found, found.userUs.mean)] }];
  if (figure.of === 'connections')
    return [{ values: [inverseOf(mapped(withInterval(found, found.cpuUs.mean), (us) => us / 1e6))] }];
  if (figure.of === 'server handshakes') {
    if (found.ends === null) return { missing: 'The two ends were not measured apart.' };
    return [{ values: [inverseOf(mapped(found.ends.serverCpuUs, (us) => us / 1e6))] }];
  }
  const other = cellOf(figure.over, cells);
  if ('missing' in other) return other;
  const cost = (cell: MeasuredCell) => withInterval(cell, cell.cpuUs.mean);
  return [{ values: [quotientOf(cost(found), cost(other))] }];
}

function cellOf(shape: CellShape, cells: readonly CellResult[]): MeasuredCell | { missing: string } {
  const found = cells.filter(({ cell }) => isOf(cell, shape));
  const measured = found.find((each): each is MeasuredCell => each.status === 'measured');
  if (measured !== undefined) return measured;
  const [first] = found;
  return {
    missing:
      first === undefined || first.status === 'measured'
        ? `The grid has no combination with ${shape.cipher} and ${shape.key}.`
        : first.reason,
  };
}

function isOf(cell: HandshakeCell, shape: CellShape): boolean {
  return (
    cell.guess === undefined &&
    Object.entries(shape).every(([name, value]) => cell[name as keyof CellShape] === value)
  );
}

function withInterval({ ratio }: MeasuredCell, mean: number): Estimate {
  return ratio === null ? exactly(mean) : mapped(ratio, (value) => (mean * value) / ratio.center);
}

type Run = Pick<RunDocument, 'metrics' | 'cache' | 'link'>;

/** Figures of a run. */
function readComparison(figure: ComparisonFigure, run: Run): Read {
  if (figure.of === 'cache hits') return readCacheHits(run.cache);
  const id = 'metric' in figure ? figure.metric : 'latency_p50';
  const found = run.metrics.find((each) => each.id === id);
  const { title } = metricOf(id);
  if (found === undefined) return { missing: `${title} was not measured.` };
  const value = 'metric' in figure ? ofMetric(figure, found) : ofHandshake(figure.of, found, run);
  const [reason] = found.reasons;
  if (value === null) return { missing: reason ?? `${title} was not measured.` };
  const refused = found.outcome === 'refused' ? { doubt: reason ?? `${title} was refused.` } : {};
  return [{ values: [value], ...refused }];
}

type MetricFigure = Extract<ComparisonFigure, { metric: string }>;

function ofMetric({ of, divisor = 1 }: MetricFigure, { ratio, delta, comparison }: MetricComparison) {
  if (of === 'times') return ratio;
  if (of === 'gain') return ratio === null ? null : mapped(inverseOf(ratio), percentOf);
  if (of === 'change') return ratio === null ? null : mapped(ratio, percentOf);
  const own = of === 'difference' ? delta : comparison;
  return own === null ? null : mapped(own, (value) => value / divisor);
}

/** A new connection takes three round trips, one for TCP and one for the request. */
function ofHandshake(
  of: 'handshake' | 'handshake per kB',
  { ratio, baseline }: MetricComparison,
  { metrics, link }: Run,
) {
  if (ratio === null || baseline === null) return null;
  const roundTripUs = 1000 * (link?.added?.median ?? link?.roundTripMs ?? 0);
  const handshakeUs = baseline.center - 2 * roundTripUs;
  const more = metrics.find(({ id }) => id === 'wire_bytes_per_transaction')?.delta?.center ?? 0;
  const per = of === 'handshake' ? 1 : more / 1000;
  if (handshakeUs <= 0 || per <= 0) return null;
  return mapped(ratio, (value) => (percentOf(value) * baseline.center) / handshakeUs / per);
}

function percentOf(ratio: number): number {
  return 100 * (ratio - 1);
}

function readCacheHits({ baseline, comparison, findings }: RunDocument['cache']): Read {
  if (baseline === null || comparison === null)
    return { missing: findings[0] ?? 'No browser measured the cache.' };
  const hits = ({ warm }: typeof baseline) => warm.fromCache + warm.revalidated;
  if (hits(baseline) === 0) return { missing: 'Over HTTP, the cache answered nothing either.' };
  return [
    {
      values: [exactly(hits(comparison) / hits(baseline))],
      today: `On a second visit, the cache answered ${hits(comparison)} of ${comparison.warm.requests} requests over HTTPS, and ${hits(baseline)} of ${baseline.warm.requests} over HTTP.`,
    },
  ];
}

/** Figures that Ristić derives from the speed table, and each of its rows. */

const study = 'apache-security-2005';
const signsPerS = openssl2005Keys.find(({ key, bits }) => key === 'RSA' && bits === 1024)?.signsPerS ?? 0;

const today: Omit<CellShape, 'resumption'> = {
  ...{ version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'P-256', group: 'X25519', bytes: 1 },
};

const apacheSecurityClaims: readonly Claim[] = [
  {
    ...{ id: 'apache-security-242', study, unit: 'per second', by: ['speed'] },
    said: 'RSA-1024 signs 242 times per second, so one processor accepts at most 242 new connections per second',
    printed: `${signsPerS} per second`,
    figure: { kind: 'speed', row: 'RSA-1024/sign' },
    rule: about(signsPerS),
  },
  {
    ...{ id: 'apache-security-symmetric', study, unit: 'times', by: ['speed'] },
    said: 'Symmetric ciphers are not the bottleneck: a signature costs more',
    printed: 'RC4 at 90 MB/s, RSA-1024 at 242 per second: 8,192 bytes take a fiftieth of a signature',
    figure: { kind: 'speed', row: 'AES-128-GCM/encrypt/8192', over: 'RSA-2048/sign' },
    rule: { from: 1 },
    note: 'How many times 8,192 bytes are encrypted with AES-128-GCM while RSA-2048 signs once.',
  },
  {
    ...{
      id: 'apache-security-keep-alive',
      study,
      unit: 'times',
      printed: null,
      by: ['servers', 'servers-grid'],
    },
    said: 'HTTP keep-alive lifts the bound: one signature for each connection',
    figure: { kind: 'servers', of: 'keep-alive gain' },
    rule: { from: 1.05 },
    note: 'Requests per CPU second, connections kept open ÷ one for each request.',
  },
  {
    ...{ id: 'apache-security-sessions', study, unit: 'times', printed: null, by: ['handshakes'] },
    said: 'A session cache lifts the bound too: a resumed handshake costs less',
    figure: {
      ...{ kind: 'handshakes', of: 'cost' },
      cell: { ...today, resumption: 'resumed' },
      over: { ...today, resumption: 'full' },
    },
    rule: { to: 0.95 },
    note: 'CPU of both ends with TLS 1.3, P-256 and X25519: resumed ÷ full.',
  },
  ...speedClaims(study, 2005),
];

/** Every claim, by year. */
export const allClaims: readonly Claim[] = [
  ...ssleayClaims,
  ...webperfClaims,
  ...wongClaims,
  ...apacheSecurityClaims,
  ...malmgrenClaims,
  ...fieldClaims,
  ...pairedFigures,
];
