import { capitalized } from '../base/cut.ts';
import { printFactor, printNumber } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import { type AbCounts, abPercents, abRatesOf, type CellSettings } from '../kinds/servers/servers-result.ts';
import type { SpeedRow } from '../kinds/speed/speed.ts';
import { listed } from '../words/example-words.ts';
import {
  type KeyRow,
  malmgren2011,
  openssl2005Keys,
  openssl2005Speed,
  type SpeedTable,
} from './malmgren-2011.ts';

/** Figures that SSLeay's own `speed` printed. */
export const ssleay1997Speed: SpeedTable = {
  sizes: [8, 64, 256, 1024, 8192],
  rows: [
    { algorithm: 'md2', kBPerS: [131.02, 368.41, 500.57, 549.21, 566.09] },
    { algorithm: 'mdc2', kBPerS: [535.6, 589.1, 595.88, 595.97, 594.54] },
    { algorithm: 'md5', kBPerS: [1801.53, 9674.77, 17484.03, 21849.43, 23592.96] },
    { algorithm: 'sha', kBPerS: [1261.63, 5533.25, 9285.63, 11187.88, 11913.9] },
    { algorithm: 'sha1', kBPerS: [1103.13, 4782.53, 7933.78, 9472.34, 10070.7] },
    { algorithm: 'rc4', kBPerS: [10722.53, 14443.93, 15215.79, 15299.24, 15219.59] },
    { algorithm: 'des cbc', kBPerS: [3286.57, 3827.73, 3913.39, 3931.82, 3926.7] },
    { algorithm: 'des ede3', kBPerS: [1443.5, 1549.08, 1561.17, 1566.38, 1564.67] },
    { algorithm: 'idea cbc', kBPerS: [2203.64, 2508.16, 2538.33, 2543.62, 2547.71] },
    { algorithm: 'rc2 cbc', kBPerS: [1430.94, 1511.59, 1524.82, 1527.13, 1523.33] },
    { algorithm: 'blowfish cbc', kBPerS: [4716.07, 5965.82, 6190.17, 6243.67, 6234.11] },
  ],
};

/** The source gives seconds; the rates follow from them. */
export const ssleay1997Keys: readonly KeyRow[] = [
  { key: 'RSA', bits: 512, signS: 0.01, verifyS: 0.0011 },
  { key: 'RSA', bits: 1024, signS: 0.0451, verifyS: 0.0012 },
  { key: 'RSA', bits: 2048, signS: 0.2605, verifyS: 0.0086 },
  { key: 'RSA', bits: 4096, signS: 1.6883, verifyS: 0.0302 },
];

/** One figure of an old speed table. */
export type OldSpeedFigure = {
  year: 1997 | 2005;
  /** Name in the old table, with the operation of a key. */
  algorithm: string;
  quantity: 'bytes/s' | 'operations/s';
  bytes: number | null;
  thenPerS: number;
  /** Id that the row of the same primitive and size has today; null for a primitive that no library has. */
  asks: string | null;
};

/** Beside today's. */
export type SpeedThenAndNow = OldSpeedFigure & {
  /** Null where it was not measured. */
  rowId: string | null;
  nowPerS: number | null;
  /** How many times as fast it is now. */
  factor: number | null;
};

/** Every figure of 1997 and 2005. */
export const oldSpeedFigures: readonly OldSpeedFigure[] = [
  ...ofTable(1997, ssleay1997Speed),
  ...ofKeys(1997, ssleay1997Keys),
  ...ofTable(2005, openssl2005Speed),
  ...ofKeys(2005, openssl2005Keys),
];

/** The same beside today's, where that was measured. */
export function speedThenAndNow(rows: readonly SpeedRow[]): SpeedThenAndNow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return oldSpeedFigures.map((old) => {
    const row = old.asks === null ? undefined : byId.get(old.asks);
    const now = row === undefined ? null : leadingPerS(row);
    const nowPerS = now === null ? null : old.bytes === null ? now.operations : now.bytes;
    const factor = nowPerS === null ? null : nowPerS / old.thenPerS;
    return { ...old, rowId: row?.id ?? null, nowPerS, factor };
  });
}

/** Conclusions of the comparison. Empty if none of its figures were measured. */
export function speedSentences(rows: readonly SpeedRow[]): string[] {
  const all = speedThenAndNow(rows);
  return [...signSentence(all), ...boundSentence(rows), ...digestSentence(all), ...cipherSentence(all, rows)];
}

/** SHA, the first one, is in no library any more. */
function names(): Record<string, { primitive: string; operation: string }> {
  return {
    ...digests({ md2: 'MD2', md4: 'MD4', mdc2: 'MDC2', md5: 'MD5', sha1: 'SHA-1', rmd160: 'RIPEMD-160' }),
    ...digests({ 'hmac(md5)': 'HMAC-MD5' }),
    ...ciphers({ rc4: 'RC4', 'des cbc': 'DES-CBC', 'des ede3': '3DES-CBC', 'idea cbc': 'IDEA-CBC' }),
    ...ciphers({ 'rc2 cbc': 'RC2-CBC', 'blowfish cbc': 'Blowfish-CBC', 'cast cbc': 'CAST5-CBC' }),
    ...ciphers({ 'aes-128 cbc': 'AES-128-CBC', 'aes-192 cbc': 'AES-192-CBC', 'aes-256 cbc': 'AES-256-CBC' }),
  };
}

function digests(of: Record<string, string>) {
  return withOperation(of, 'digest');
}

function ciphers(of: Record<string, string>) {
  return withOperation(of, 'encrypt');
}

function withOperation(of: Record<string, string>, operation: string) {
  return Object.fromEntries(
    Object.entries(of).map(([algorithm, primitive]) => [algorithm, { primitive, operation }]),
  );
}

function ofTable(year: OldSpeedFigure['year'], { sizes, rows }: SpeedTable): OldSpeedFigure[] {
  return rows.flatMap(({ algorithm, kBPerS }) =>
    sizes.map((bytes, index) => {
      const name = names()[algorithm];
      const thenPerS = 1000 * (kBPerS[index] ?? 0);
      const asks = name === undefined ? null : `${name.primitive}/${name.operation}/${bytes}`;
      return { year, algorithm, quantity: 'bytes/s', bytes, thenPerS, asks };
    }),
  );
}

function ofKeys(year: OldSpeedFigure['year'], keys: readonly KeyRow[]): OldSpeedFigure[] {
  return keys.flatMap(({ key, bits, signS, verifyS, signsPerS, verifiesPerS }) =>
    [
      { operation: 'sign', thenPerS: signsPerS ?? 1 / signS },
      { operation: 'verify', thenPerS: verifiesPerS ?? 1 / verifyS },
    ].map(({ operation, thenPerS }): OldSpeedFigure => {
      const asks = `${key}-${bits}/${operation}`;
      return {
        ...{ year, algorithm: `${key} ${bits} ${operation}`, quantity: 'operations/s', bytes: null },
        ...{ thenPerS, asks },
      };
    }),
  );
}

function find(all: readonly SpeedThenAndNow[], year: number, algorithm: string, bytes: number | null = null) {
  return all.find((each) => each.year === year && each.algorithm === algorithm && each.bytes === bytes);
}

function signSentence(all: readonly SpeedThenAndNow[]): string[] {
  const [first, second] = [find(all, 1997, 'RSA 1024 sign'), find(all, 2005, 'RSA 1024 sign')];
  if (first?.factor == null || second === undefined || first.nowPerS === null) return [];
  return [
    `An RSA key of 1,024 bits signed ${whole(first.thenPerS)} times per second in 1997 and ${whole(second.thenPerS)} times in 2005. Today it signs ${whole(first.nowPerS)} times: ${times(first.factor)} as often as in 1997.`,
  ];
}

/** The bound of Apache Security, section 4.6, with the keys of today. */
function boundSentence(rows: readonly SpeedRow[]): string[] {
  const keys = ['RSA-2048', 'ECDSA-P-256', 'ML-DSA-65'].flatMap((primitive) => {
    const row = rows.find((each) => each.id === `${primitive}/sign`);
    return row === undefined ? [] : [`${whole(leadingPerS(row).operations)} with ${primitive}`];
  });
  if (keys.length === 0) return [];
  return [
    `Each full handshake needs one signature, so in 2005 one processor accepted at most 242 new connections per second (RSA, 1,024 bits). Today one core accepts at most ${listed(keys)}.`,
  ];
}

function digestSentence(all: readonly SpeedThenAndNow[]): string[] {
  const [first, second] = [find(all, 1997, 'md5', 8192), find(all, 2005, 'md5', 8192)];
  if (first?.factor == null || first.nowPerS === null || second === undefined) return [];
  return [
    `MD5 processed ${megabytes(first.thenPerS)} in 1997 and ${megabytes(second.thenPerS)} in 2005, with inputs of 8,192 bytes. Today it processes ${megabytes(first.nowPerS)}, ${times(first.factor)} as much as in 1997.`,
  ];
}

function cipherSentence(all: readonly SpeedThenAndNow[], rows: readonly SpeedRow[]): string[] {
  const [first, second] = [find(all, 1997, 'rc4', 8192), find(all, 2005, 'rc4', 8192)];
  const row = rows.find(({ id }) => id === 'AES-128-GCM/encrypt/8192');
  const now = row === undefined ? null : leadingPerS(row).bytes;
  if (first === undefined || second === undefined || now === null) return [];
  return [
    `RC4, the cipher of its day, encrypted ${megabytes(first.thenPerS)} in 1997 and ${megabytes(second.thenPerS)} in 2005, without authentication. Today AES-128-GCM encrypts and authenticates ${megabytes(now)}, ${times(now / first.thenPerS)} as much as in 1997.`,
  ];
}

function whole(value: number): string {
  return printNumber(value, 0);
}

function times(factor: number): string {
  return `${printFactor(factor)} times`;
}

function megabytes(bytesPerS: number): string {
  return `${printNumber(bytesPerS / 1e6, bytesPerS < 1e8 ? 1 : 0)} MB/s`;
}

/** The report of 2011 beside that of a cell of today, where they asked for the same. */

export type ThenAndNowRow = {
  name: string;
  unit: string;
  earlier: number;
  today: number;
  /** Today's, over the rounds; null for what is of one round. */
  interval: Estimate | null;
  /** Today's divided by that of 2011. */
  factor: number;
};

type MalmgrenBeside = {
  /** Which measurement of the study it is, and in what the cell differs. */
  sentences: string[];
  rows: ThenAndNowRow[];
};

const then = malmgren2011;

/**
 * The study's one full report is of nginx, with connections that stay open and several at a time. Null for a cell that asked
 * for something else; what differs beyond that is said.
 * @param now of HTTPS
 * @param perS requests per second of the cell, over the rounds
 */
export function besideMalmgren(
  { server, keepAlive, document, concurrency, key, cipher, protocol }: CellSettings,
  ab: AbCounts,
  perS: Estimate | null,
): MalmgrenBeside | null {
  if (server !== 'nginx' || !keepAlive || document !== then.documentBytes || concurrency < 2) return null;
  const now = { ...ab, ...abRatesOf(ab, concurrency) };
  const spoken = ab.negotiated ?? { protocol, cipher: cipher ?? 'the library’s cipher' };
  const differences = [
    `${spoken.protocol} with ${spoken.cipher}`,
    ...(key === 'RSA-2048' ? [] : [`a key of ${key}`]),
    ...(concurrency === then.concurrency ? [] : [`${printNumber(concurrency, 0)} connections`]),
  ];
  return {
    sentences: [
      'Closest measurement of the study: nginx 1.0.2, RC4-SHA, RSA-2048, keep-alive, 800 connections, 5,496 bytes.',
      `This combination has ${listed(differences)} instead.`,
    ],
    rows: [
      rowOf('Requests per second', '', ({ requestsPerS }) => requestsPerS, now, perS),
      rowOf('Time per request, mean', 'ms', ({ msPerRequest }) => msPerRequest, now),
      rowOf('Transfer rate', 'KiB/s', ({ kibPerS }) => kibPerS, now),
      ...(['processing', 'waiting', 'total'] as const).flatMap((phase) =>
        now.timesMs === null
          ? []
          : [rowOf(`${capitalized(phase)}, mean`, 'ms', ({ timesMs }) => timesMs?.[phase].mean ?? 0, now)],
      ),
      ...abPercents.flatMap((percent, index) =>
        now.ladderMs === null || ![50, 90, 99, 100].includes(percent)
          ? []
          : [rowOf(`${percent} % within`, 'ms', ({ ladderMs }) => ladderMs?.[index] ?? 0, now)],
      ),
    ],
  };
}

function rowOf(
  name: string,
  unit: string,
  read: (of: AbCounts & ReturnType<typeof abRatesOf>) => number,
  now: AbCounts & ReturnType<typeof abRatesOf>,
  interval: Estimate | null = null,
): ThenAndNowRow {
  const today = interval?.center ?? read(now);
  const earlier = read(then);
  return { name, unit, earlier, today, interval, factor: today / earlier };
}

/**
 * Rate of a library, the figure to read first: `openssl speed`, or the calls of Node if that did not measure it. A call of Node takes a
 * microsecond or more for the smallest input, so small blocks show the call and not the primitive.
 */
export function leadingPerS({ openssl, operationsPerS, bytes }: SpeedRow): {
  operations: number;
  /** Null where there are no sizes. */
  bytes: number | null;
} {
  const { center } = openssl.status === 'measured' ? openssl.operationsPerS : operationsPerS;
  return { operations: center, bytes: bytes === null ? null : center * bytes };
}
