import { printFactor, printNumber } from '../base/quantity.ts';
import { leadingPerS } from '../kinds/speed/leading-speed.ts';
import type { SpeedRow } from '../kinds/speed/speed.ts';
import { listed } from '../words/listed.ts';
import { openssl2005, openssl2005Keys, openssl2005Speed } from './openssl-2005.ts';
import { ssleay1997, ssleay1997Keys, ssleay1997Speed } from './ssleay-1997.ts';
import type { HistoricMachine, KeyRow, SpeedTable } from './tables.ts';

/** One figure of an old speed table beside today's. */
export type SpeedThenAndNow = {
  year: number;
  /** As the old table calls it, with the operation of a key. */
  algorithm: string;
  /** Id of today's row; null where there is none. */
  rowId: string | null;
  quantity: 'bytes/s' | 'operations/s';
  bytes: number | null;
  thenPerS: number;
  nowPerS: number | null;
  /** How many times as fast it is now. */
  factor: number | null;
};

export const historicMachines: readonly HistoricMachine[] = [ssleay1997, openssl2005];

/** Every figure of 1997 and 2005, beside today's where the same was measured at the same size. */
export function speedThenAndNow(rows: readonly SpeedRow[]): SpeedThenAndNow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [
    ...ofTable(ssleay1997Speed, byId),
    ...ofKeys(ssleay1997, ssleay1997Keys, byId),
    ...ofTable(openssl2005Speed, byId),
    ...ofKeys(openssl2005, openssl2005Keys, byId),
  ];
}

/** What the comparison comes to. Empty where nothing that it speaks of was measured. */
export function speedSentences(rows: readonly SpeedRow[]): string[] {
  const all = speedThenAndNow(rows);
  return [...signSentence(all), ...boundSentence(rows), ...digestSentence(all), ...cipherSentence(all, rows)];
}

type ById = ReadonlyMap<string, SpeedRow>;

/** SHA, the first one, is in no library any more. */
const names: Record<string, { primitive: string; operation: string }> = {
  ...digests({ md2: 'MD2', md4: 'MD4', mdc2: 'MDC2', md5: 'MD5', sha1: 'SHA-1', rmd160: 'RIPEMD-160' }),
  ...digests({ 'hmac(md5)': 'HMAC-MD5' }),
  ...ciphers({ rc4: 'RC4', 'des cbc': 'DES-CBC', 'des ede3': '3DES-CBC', 'idea cbc': 'IDEA-CBC' }),
  ...ciphers({ 'rc2 cbc': 'RC2-CBC', 'blowfish cbc': 'Blowfish-CBC', 'cast cbc': 'CAST5-CBC' }),
  ...ciphers({ 'aes-128 cbc': 'AES-128-CBC', 'aes-192 cbc': 'AES-192-CBC', 'aes-256 cbc': 'AES-256-CBC' }),
};

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

function ofTable({ year, sizes, rows }: SpeedTable, byId: ById): SpeedThenAndNow[] {
  return rows.flatMap(({ algorithm, kBPerS }) =>
    sizes.map((bytes, index) => {
      const name = names[algorithm];
      const row = name === undefined ? undefined : byId.get(`${name.primitive}/${name.operation}/${bytes}`);
      const thenPerS = 1000 * (kBPerS[index] ?? 0);
      return beside(
        { year, algorithm, quantity: 'bytes/s', bytes, thenPerS },
        row,
        row === undefined ? null : leadingPerS(row).bytes,
      );
    }),
  );
}

function ofKeys({ year }: HistoricMachine, keys: readonly KeyRow[], byId: ById): SpeedThenAndNow[] {
  return keys.flatMap(({ key, bits, signS, verifyS, signsPerS, verifiesPerS }) =>
    [
      { operation: 'sign', thenPerS: signsPerS ?? 1 / signS },
      { operation: 'verify', thenPerS: verifiesPerS ?? 1 / verifyS },
    ].map(({ operation, thenPerS }) => {
      const row = byId.get(`${key}-${bits}/${operation}`);
      const algorithm = `${key} ${bits} ${operation}`;
      return beside(
        { year, algorithm, quantity: 'operations/s', bytes: null, thenPerS },
        row,
        row === undefined ? null : leadingPerS(row).operations,
      );
    }),
  );
}

function beside(
  old: Pick<SpeedThenAndNow, 'year' | 'algorithm' | 'quantity' | 'bytes' | 'thenPerS'>,
  row: SpeedRow | undefined,
  nowPerS: number | null,
): SpeedThenAndNow {
  return {
    ...old,
    rowId: row?.id ?? null,
    nowPerS,
    factor: nowPerS === null ? null : nowPerS / old.thenPerS,
  };
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
