import { printFactor, printNumber } from '../base/quantity.ts';
import {
  type CellResult,
  type HandshakeCell,
  type MeasuredCell,
  measuredOf,
  nameCell,
  type Resumption,
} from '../kinds/handshakes/handshakes.ts';
import {
  connectionsPerS,
  rc4Row,
  type SsltestRow,
  speedClaims,
  ssltest1997Rows,
  ssltestConnections,
} from './read-servers.ts';
import { about, type CellShape, type Claim } from './study-figure.ts';

/** One figure of the table of 1997, and the cell that has its shape today. */
type OldHandshakeFigure = {
  old: SsltestRow;
  resumption: Resumption;
  /** User time of one connection, both ends. */
  thenUserUs: number;
  /** In TLS 1.0. */
  cipherToday: string;
  /** The suite is gone, and another stands in for it. */
  standsIn: boolean;
};

/** Beside the cell of today; null where none was measured. */
export type HandshakeThenAndNow = OldHandshakeFigure & {
  cell: HandshakeCell | null;
  nowUserUs: number | null;
  /** How many times as fast it is now. */
  factor: number | null;
};

/** Suites that replace the old ones: RC4 and DES are no longer in any TLS library. */
const successors: Record<string, string> = {
  'NULL-MD5': 'NULL-MD5',
  'RC4-MD5': 'AES128-SHA',
  'RC4-SHA': 'AES128-SHA',
  'DES-CBC-SHA': 'AES256-SHA',
  'DES-CBC3-SHA': 'AES256-SHA',
};

/** The whole table of 1997. */
const oldHandshakeFigures: readonly OldHandshakeFigure[] = ssltest1997Rows.flatMap((old) =>
  (['full', 'resumed'] as const).map((resumption) => {
    const cipherToday = successors[old.cipher] ?? old.cipher;
    return {
      ...{ old, resumption, cipherToday, standsIn: cipherToday !== old.cipher },
      thenUserUs: (1e6 * (resumption === 'full' ? old.fullS : old.resumedS)) / ssltestConnections,
    };
  }),
);

/** The same beside today's, as far as a grid has the same key, payload and kind of handshake. */
export function handshakesThenAndNow(cells: readonly CellResult[]): HandshakeThenAndNow[] {
  const measured = measuredOf(cells);
  return oldHandshakeFigures.map((figure) => {
    const now = measured.find(({ cell }) => isTodays(cell, figure));
    const nowUserUs = now?.userUs.mean ?? null;
    const factor = nowUserUs === null ? null : figure.thenUserUs / nowUserUs;
    return { ...figure, cell: now?.cell ?? null, nowUserUs, factor };
  });
}

/** Whether a cell of today has the shape of a figure of 1997. */
function isTodays(
  cell: HandshakeCell,
  { old, resumption, cipherToday }: Pick<OldHandshakeFigure, 'old' | 'resumption' | 'cipherToday'>,
): boolean {
  return (
    cell.version === 'TLSv1' &&
    cell.cipher === cipherToday &&
    cell.key === `RSA-${old.rsaBits}` &&
    cell.bytes === old.bytesEachWay &&
    cell.resumption === resumption
  );
}

/** The sentence that the author of `ssltest` derived: 10,240 bytes, RC4-MD5, a key of 512 bits, no reuse. */
const derivedFrom = rc4Row(512, 10_240);

/** Connections a second on one core that does both ends, then and now. Empty without a cell of that payload. */
export function handshakeSentences(cells: readonly CellResult[]): string[] {
  const figure = oldHandshakeFigures.find(
    ({ old, resumption }) => old === derivedFrom && resumption === 'full',
  );
  const now = measuredOf(cells).filter(
    ({ cell }) => cell.bytes === derivedFrom.bytesEachWay && cell.resumption === 'full',
  );
  const best = now.toSorted((a, b) => b.connectionsPerS - a.connectionsPerS);
  if (figure === undefined || best.length === 0) return [];
  const same = now.find(({ cell }) => isTodays(cell, figure));
  return [
    `In 1997, 10,240 bytes each way, RC4-MD5, a 512-bit key, no reuse: about ${perS(connectionsPerS(figure.old.fullS))} connections per second (1,000 in 20.25 s).`,
    ...(same === undefined ? [] : [`${derived(same)}, with AES-128 in place of RC4.`]),
    ...best
      .filter((each) => each !== same && each.cell.version !== 'TLSv1' && encrypts(each))
      .slice(0, 2)
      .map((each) => `${derived(each)}.`),
  ];
}

function encrypts({ cell }: MeasuredCell): boolean {
  return !cell.cipher.startsWith('NULL');
}

function derived({ cell, connectionsPerS: rate }: MeasuredCell): string {
  return `Today, 10,240 bytes each way, ${nameCell(cell)}, no reuse: about ${perS(rate)} connections per second on one core`;
}

function perS(rate: number): string {
  return printNumber(rate, 0);
}

/** Claims from Eric Young's figures, and every row of them. */

const stands = 'TLS 1.0 with AES128-SHA stands in for SSLv3 with RC4-MD5.';

function aes128(key: CellShape['key'], bytes: number, resumption: CellShape['resumption']): CellShape {
  return { version: 'TLSv1', cipher: 'AES128-SHA', key, bytes, resumption };
}

function savedByResumption(rsaBits: 512 | 1024): Claim {
  const { fullS, resumedS } = rc4Row(rsaBits, 1);
  const factor = fullS / resumedS;
  return {
    ...{ id: `ssleay-resumption-${rsaBits}`, study: 'ssleay-1997', unit: 'times', by: ['ssltest'] },
    said: `With a ${printNumber(rsaBits, 0)}-bit key, a full connection costs ${printFactor(factor)} times a resumed one`,
    printed: `${printNumber(fullS, 2)} s and ${printNumber(resumedS, 2)} s for 1,000: ${printFactor(factor)} times`,
    figure: {
      ...{ kind: 'handshakes', of: 'cost' },
      cell: aes128(`RSA-${rsaBits}`, 1, 'full'),
      over: aes128(`RSA-${rsaBits}`, 1, 'resumed'),
    },
    rule: about(factor),
    note: stands,
  };
}

const ssleay1997Derived = rc4Row(512, 10_240);

export const ssleayClaims: readonly Claim[] = [
  {
    ...{ id: 'ssleay-connections', study: 'ssleay-1997', unit: 'per second', by: ['ssltest'] },
    said: '10,240 bytes each way, RC4-MD5, a 512-bit key, no reuse: one processor makes about 49 connections per second',
    printed: `1,000 in ${printNumber(ssleay1997Derived.fullS, 2)} s: ${printNumber(connectionsPerS(ssleay1997Derived.fullS), 1)} per second`,
    figure: { kind: 'handshakes', of: 'connections', cell: aes128('RSA-512', 10_240, 'full') },
    rule: about(connectionsPerS(ssleay1997Derived.fullS)),
    note: stands,
  },
  savedByResumption(512),
  savedByResumption(1024),
  {
    ...{ id: 'ssleay-latency', study: 'ssleay-1997', printed: null, unit: 'times', by: ['distance'] },
    said: 'The latency of TCP can hide what resumption saves',
    figure: { kind: 'distance', of: 'resumed ÷ full' },
    rule: { from: 0.95 },
    note: 'Time to the first byte with TLS 1.3 on the longest link: resumed ÷ full. Both take the same round trips.',
  },
  {
    ...{ id: 'ssleay-round-trip', study: 'ssleay-1997', printed: null, unit: '', by: null },
    said: 'The round-trip time slows one connection but hardly changes the throughput of many',
    word: 'not measured',
    note: 'Over a long path, the number of connections limits the throughput here, and the server does not.',
  },
  ...oldHandshakeFigures.map(rowClaim),
  ...speedClaims('ssleay-1997', 1997),
];

/** A row of the table, full or resumed. */
function rowClaim({ old, resumption, thenUserUs, cipherToday, standsIn }: OldHandshakeFigure): Claim {
  const { protocol, cipher, rsaBits, bytesEachWay, fullS, resumedS } = old;
  const seconds = resumption === 'full' ? fullS : resumedS;
  return {
    id: ['ssltest', protocol, cipher, rsaBits, bytesEachWay, resumption].join('-').toLowerCase(),
    ...{ study: 'ssleay-1997', table: 'ssltest, user time per connection', unit: 'µs', by: ['ssltest'] },
    said: `${protocol} ${cipher}, RSA ${rsaBits}, ${printNumber(bytesEachWay, 0)} B each way, ${resumption}`,
    printed: `${printNumber(seconds, 2)} s for 1,000: ${printNumber(thenUserUs, 0)} µs`,
    figure: {
      ...{ kind: 'handshakes', of: 'user time' },
      cell: {
        ...{ version: 'TLSv1', cipher: cipherToday, bytes: bytesEachWay, resumption },
        key: `RSA-${rsaBits}` as CellShape['key'],
      },
    },
    rule: about(thenUserUs),
    note: `TLS 1.0${standsIn ? ` with ${cipherToday}` : ''} stands in for ${protocol}${standsIn ? ` with ${cipher}` : ''}.`,
  };
}
