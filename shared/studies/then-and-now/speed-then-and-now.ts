import { printFactor, printNumber } from '../../base/quantity.ts';
import { leadingPerS } from '../../kinds/speed/leading-speed.ts';
import type { SpeedRow } from '../../kinds/speed/speed.ts';
import { listed } from '../../words/listed.ts';
import { openssl2005Keys, openssl2005Speed } from '../tables/openssl-2005.ts';
import { ssleay1997Keys, ssleay1997Speed } from '../tables/ssleay-1997.ts';
import type { KeyRow, SpeedTable } from '../tables/tables.ts';

/** One figure of an old speed table. */
export type OldSpeedFigure = {
  year: 1997 | 2005;
  /** As the old table calls it, with the operation of a key. */
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

/** What the comparison comes to. Empty where nothing that it speaks of was measured. */
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
    `MD5 processed ${megabytes(first.thenPerS)} in 1997 and ${megabytes(second.thenPerS)} in 2005, in blocks of 8,192 bytes. Today it processes ${megabytes(first.nowPerS)}, ${times(first.factor)} as much as in 1997.`,
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
