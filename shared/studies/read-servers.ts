import { exactly } from '../base/estimate-arithmetic.ts';
import { printNumber } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type {
  CellResult,
  CellSettings,
  Effect,
  LevelGroup,
  ServersDocument,
} from '../kinds/servers/servers-result.ts';
import type { ServerName } from '../target/server-options.ts';
import { serverTitles } from '../target/target-words.ts';
import { type OldSpeedFigure, oldSpeedFigures } from './speed-then-and-now.ts';
import {
  about,
  type Claim,
  inverseOf,
  mapped,
  quotientOf,
  type Read,
  type ServersFigure,
} from './study-figure.ts';
import type { StudyName } from './study-plan.ts';

/** Apache of 2011 stopped at 256 clients. */
const manyConnections = 256;

type Swept = Pick<ServersDocument, 'effects' | 'levels' | 'cells' | 'warnings'>;

/**
 * Figures of a sweep over servers, over HTTPS. Factors are judged by requests per second of server CPU, because the load generator may limit
 * requests per second. A figure that the plan of the sweep does not cover is missing.
 */
export function readServers(figure: ServersFigure, swept: Swept): Read {
  const own = swept.effects
    .filter(({ metric, view }) => metric === 'cpu' && view === 'https')
    .map((effect) => ({ ...effect, factorOf: inverseOf(effect.factorOf) }));
  const read = () => {
    switch (figure.of) {
      case 'keep-alive':
        return keepAliveAgainstOthers(own);
      case 'keep-alive gain':
        return keepAliveGain(own);
      case 'key length':
        return swept.cells.some(({ cell }) => !cell.settings.keepAlive) ? keyLength(own) : null;
      case 'cipher':
        return cipher(own);
      case 'servers apart':
        return serversApart(swept.levels);
      default:
        return ofCell(figure.of, figure.cell, swept.cells);
    }
  };
  const found = read();
  if (found !== null) return found;
  const asked = 'cell' in figure ? (figure.cell.server ?? null) : null;
  const skipped = swept.warnings.find((warning) => asked !== null && warning.startsWith(serverTitles[asked]));
  return { missing: skipped ?? swept.warnings[0] ?? 'The plan of the sweep does not cover it.' };
}

/** How many times as much with it than without. */
function gainOf(effects: readonly Effect[]): Estimate | null {
  const keepAlive = effects.find(({ factor }) => factor === 'keepAlive');
  if (keepAlive === undefined) return null;
  return keepAlive.from === 'true' ? inverseOf(keepAlive.factorOf) : keepAlive.factorOf;
}

function keepAliveGain(effects: readonly Effect[]): Read | null {
  const gain = gainOf(effects);
  if (gain === null) return null;
  return [
    {
      values: [gain],
      today: `${printTimes(gain)} as many requests per CPU second on connections that stay open.`,
    },
  ];
}

function keepAliveAgainstOthers(effects: readonly Effect[]): Read | null {
  const gain = gainOf(effects);
  const others = (['key', 'cipher'] as const).flatMap((factor) => {
    const of = effects.filter((effect) => effect.factor === factor).map(timesOf);
    return of.length === 0 ? [] : [{ factor, ...widestOf(of) }];
  });
  if (gain === null || others.length === 0) return null;
  const against = others.map((other) => `${printTimes(other)} for the ${other.factor}`).join(' and ');
  return [
    {
      values: [quotientOf(gain, widestOf(others))],
      today: `${printTimes(gain)} as many requests per CPU second with it, against ${against}.`,
    },
  ];
}

function keyLength(effects: readonly Effect[]): Read | null {
  const lengths = effects.flatMap((effect) => {
    const [from, to] = [bitsOf(effect.from), bitsOf(effect.to)];
    return effect.factor !== 'key' || from === null || to === null ? [] : [{ effect, from, to }];
  });
  const widest = lengths.toSorted((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))[0];
  if (widest === undefined) return null;
  const { effect, from, to } = widest;
  const slower = to > from ? inverseOf(effect.factorOf) : effect.factorOf;
  const [short, long] = [Math.min(from, to), Math.max(from, to)];
  return [
    {
      values: [slower],
      today: `${printTimes(slower)} as many requests per CPU second with RSA-${short} as with RSA-${long}.`,
    },
  ];
}

function cipher(effects: readonly Effect[]): Read | null {
  const [first, ...others] = effects.filter(
    ({ factor, from, to }) => factor === 'cipher' && from !== 'null' && to !== 'null',
  );
  if (first === undefined) return null;
  const figures = [first, ...others].map(
    ({ factorOf, from, to }) =>
      `${printTimes(factorOf)} as many requests per CPU second with ${to} as with ${from}`,
  );
  return [
    {
      values: [first.factorOf, ...others.map(({ factorOf }) => factorOf)],
      today: `${figures.join('; ')}.`,
    },
  ];
}

function serversApart(levels: ServersDocument['levels']): Read | null {
  const view = levels.find(({ factors }) => factors.join() === 'server,concurrency');
  const most = Math.max(0, ...(view?.groups ?? []).map(({ levels: [, connections] }) => Number(connections)));
  const servers = (view?.groups ?? []).flatMap(({ levels: [server, connections], cpu }: LevelGroup) =>
    Number(connections) !== most || cpu === null
      ? []
      : [{ title: serverTitles[server as ServerName], ...perCpuSecond(cpu.https) }],
  );
  const [slowest, ...faster] = servers.toSorted((a, b) => a.center - b.center);
  const fastest = faster.at(-1);
  if (slowest === undefined || fastest === undefined || most < manyConnections) return null;
  const rate = ({ title, center, lo, hi }: typeof slowest) =>
    `${title} ${printNumber(center, 0)} (${printNumber(lo, 0)} to ${printNumber(hi, 0)})`;
  return [
    {
      values: [quotientOf(fastest, slowest)],
      today: `At ${printNumber(most, 0)} connections ${rate(fastest)} and ${rate(slowest)} requests per CPU second.`,
    },
  ];
}

function ofCell(
  of: 'errors' | 'requests' | 'ms per request',
  asked: Partial<CellSettings>,
  cells: readonly CellResult[],
): Read | null {
  const [result] = cells
    .filter(({ cell: { settings } }) =>
      Object.entries(asked).every(([name, value]) => settings[name as keyof CellSettings] === value),
    )
    .toSorted((a, b) => b.cell.settings.concurrency - a.cell.settings.concurrency);
  const at = result?.cell.settings.concurrency ?? 0;
  if (result === undefined || (of === 'errors' && at <= manyConnections)) return null;
  const connections = `At ${printNumber(at, 0)} connections`;
  if (of === 'errors') {
    if (result.errorShare === null) return { missing: result.failures[0] ?? 'It answered nothing.' };
    const percent = 100 * result.errorShare;
    return [
      {
        values: [exactly(percent)],
        today: `${connections}, ${printNumber(percent, percent < 10 ? 1 : 0)} % of the requests fail.`,
      },
    ];
  }
  if (result.throughput === null) return { missing: result.failures[0] ?? 'It was measured once only.' };
  const perS = result.throughput.https;
  const limited = result.generatorLimited ? { doubt: 'The load generator was the limit.' } : {};
  if (of === 'requests')
    return [{ values: [perS], ...limited, ...(result.generatorLimited && { atLeast: true }) }];
  return [{ values: [mapped(inverseOf(perS), (each) => 1000 * at * each)], ...limited }];
}

/** How many times as much, whichever way it goes; from 1 on where it may go either way. */
function timesOf({ factorOf }: Effect): Estimate {
  const turned = factorOf.center < 1 ? inverseOf(factorOf) : factorOf;
  return { ...turned, lo: Math.max(1, turned.lo), hi: Math.max(turned.hi, 1 / turned.lo) };
}

function widestOf(estimates: readonly Estimate[]): Estimate {
  return {
    center: Math.max(...estimates.map(({ center }) => center)),
    lo: Math.max(...estimates.map(({ lo }) => lo)),
    hi: Math.max(...estimates.map(({ hi }) => hi)),
  };
}

/** @param cpuUs of one request */
function perCpuSecond(cpuUs: Estimate): Estimate {
  return mapped(inverseOf(cpuUs), (perUs) => 1e6 * perUs);
}

function bitsOf(key: string): number | null {
  const bits = /^RSA-(\d+)$/.exec(key)?.[1];
  return bits === undefined ? null : Number(bits);
}

function printTimes({ center, lo, hi }: Estimate): string {
  const print = (value: number) => printNumber(value, value < 10 ? 2 : 1);
  return `${print(center)}× (${print(lo)} to ${print(hi)})`;
}

/**
 * SSLeay's `ssltest`: both ends of the protocol in one process, through a memory buffer without sockets or kernel. User
 * time of 1,000 connections; the payload goes from client to server and back, so each byte is encrypted and decrypted
 * twice. No certificate is verified.
 */
export type SsltestRow = {
  protocol: 'SSLv2' | 'SSLv3';
  cipher: string;
  rsaBits: number;
  bytesEachWay: number;
  /** User time of 1,000 connections, each with a full handshake. */
  fullS: number;
  /** The same when all but the first resume its session. */
  resumedS: number;
};

export const ssltestConnections = 1000;

export const ssltest1997Rows: readonly SsltestRow[] = [
  ...rowsOf(1, [
    ['SSLv2', 'RC4-MD5', 512, 12.83, 0.7],
    ['SSLv3', 'NULL-MD5', 512, 14.35, 1.47],
    ['SSLv3', 'RC4-MD5', 512, 14.46, 1.56],
    ['SSLv3', 'RC4-MD5', 1024, 51.93, 1.62],
    ['SSLv3', 'RC4-SHA', 512, 14.61, 1.83],
    ['SSLv3', 'DES-CBC-SHA', 512, 14.7, 1.89],
    ['SSLv3', 'DES-CBC3-SHA', 512, 15.16, 2.16],
  ]),
  ...rowsOf(1024, [
    ['SSLv2', 'RC4-MD5', 512, 13.72, 1.27],
    ['SSLv3', 'NULL-MD5', 512, 14.79, 1.92],
    ['SSLv3', 'RC4-MD5', 1024, 52.58, 2.29],
    ['SSLv3', 'RC4-SHA', 512, 15.39, 2.67],
    ['SSLv3', 'DES-CBC-SHA', 512, 16.45, 3.55],
    ['SSLv3', 'DES-CBC3-SHA', 512, 18.21, 5.38],
  ]),
  ...rowsOf(10_240, [
    ['SSLv2', 'RC4-MD5', 512, 18.97, 6.52],
    ['SSLv3', 'NULL-MD5', 512, 17.79, 5.11],
    ['SSLv3', 'RC4-MD5', 512, 20.25, 7.9],
    ['SSLv3', 'RC4-MD5', 1024, 58.26, 8.08],
    ['SSLv3', 'RC4-SHA', 512, 22.96, 11.44],
    ['SSLv3', 'DES-CBC-SHA', 512, 30.65, 18.41],
    ['SSLv3', 'DES-CBC3-SHA', 512, 47.04, 34.53],
  ]),
  ...rowsOf(102_400, [
    ['SSLv2', 'RC4-MD5', 512, 70.22, 57.74],
    ['SSLv3', 'NULL-MD5', 512, 43.73, 31.03],
    ['SSLv3', 'RC4-MD5', 512, 71.32, 58.83],
    ['SSLv3', 'RC4-MD5', 1024, 109.66, 59.2],
    ['SSLv3', 'RC4-SHA', 512, 95.88, 82.21],
    ['SSLv3', 'DES-CBC-SHA', 512, 173.22, 160.55],
    ['SSLv3', 'DES-CBC3-SHA', 512, 336.61, 323.82],
  ]),
];

type Figures = readonly [
  protocol: SsltestRow['protocol'],
  cipher: string,
  rsaBits: number,
  fullS: number,
  resumedS: number,
];

/** Rows of one payload. */
function rowsOf(bytesEachWay: number, rows: readonly Figures[]): SsltestRow[] {
  return rows.map(([protocol, cipher, rsaBits, fullS, resumedS]) => ({
    ...{ protocol, cipher, rsaBits, bytesEachWay, fullS, resumedS },
  }));
}

/** Row of SSLv3 with RC4-MD5. */
export function rc4Row(rsaBits: number, bytesEachWay: number): SsltestRow {
  const row = ssltest1997Rows.find(
    (each) =>
      each.protocol === 'SSLv3' &&
      each.cipher === 'RC4-MD5' &&
      each.rsaBits === rsaBits &&
      each.bytesEachWay === bytesEachWay,
  );
  if (row === undefined) throw new Error(`no row for ${rsaBits} bits and ${bytesEachWay} bytes`);
  return row;
}

/** Connections a second that one core makes when it does nothing else, both ends counted. */
export function connectionsPerS(userS: number): number {
  return ssltestConnections / userS;
}

/** Every figure of the old speed tables as a claim: it holds where today's is within a tenth of it. */
export function speedClaims(study: StudyName, year: OldSpeedFigure['year']): Claim[] {
  return oldSpeedFigures.filter((each) => each.year === year).map((each) => claimOf(study, each));
}

function claimOf(study: StudyName, { year, algorithm, bytes, thenPerS, asks }: OldSpeedFigure): Claim {
  const sized = bytes !== null;
  const figure = sized ? thenPerS / 1e6 : thenPerS;
  const unit = sized ? 'MB/s' : 'per second';
  const frame = {
    id: [`speed-${year}`, algorithm.replaceAll(/\W+/g, '-'), ...(sized ? [bytes] : [])]
      .join('-')
      .toLowerCase(),
    study,
    table: sized ? 'Digests and ciphers, by bytes of input' : 'Signatures of one core',
    said: sized ? `${algorithm}, ${printNumber(bytes, 0)} B` : algorithm,
    printed: `${printNumber(figure, figure < 100 ? 2 : 0)} ${unit}`,
    unit,
  } as const;
  if (asks === null) {
    return { ...frame, by: null, word: 'not comparable', note: 'No TLS library has the algorithm any more.' };
  }
  return { ...frame, by: ['speed'], figure: { kind: 'speed', row: asks }, rule: about(figure) };
}
