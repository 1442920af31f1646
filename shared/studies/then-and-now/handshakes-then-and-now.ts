import { printNumber } from '../../base/quantity.ts';
import type {
  CellResult,
  HandshakeCell,
  MeasuredCell,
  Resumption,
} from '../../kinds/handshakes/handshakes.ts';
import { measuredOf, nameCell } from '../../kinds/handshakes/handshakes-sentence.ts';
import {
  connectionsPerS,
  rc4Row,
  type SsltestRow,
  ssltest1997Rows,
  ssltestConnections,
} from '../tables/ssltest-1997.ts';

/** One figure of the table of 1997, and the cell that has its shape today. */
export type OldHandshakeFigure = {
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

/** What became of the suites: RC4 and DES are in no TLS library any more. */
const successors: Record<string, string> = {
  'NULL-MD5': 'NULL-MD5',
  'RC4-MD5': 'AES128-SHA',
  'RC4-SHA': 'AES128-SHA',
  'DES-CBC-SHA': 'AES256-SHA',
  'DES-CBC3-SHA': 'AES256-SHA',
};

/** The whole table of 1997. */
export const oldHandshakeFigures: readonly OldHandshakeFigure[] = ssltest1997Rows.flatMap((old) =>
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
