import { printNumber } from '../../base/quantity.ts';
import { cellsEventsSchema } from '../../measurement/cells-progress.ts';
import {
  type CellResult,
  groupInWords,
  type HandshakeCell,
  type HandshakesDocument,
  handshakesDocumentSchema,
  handshakesRequestSchema,
  type MeasuredCell,
} from './handshakes.ts';

/** What the grid found, in sentences: the same on the page, in Markdown and in a terminal. */

/** The first is the headline. Empty while the baseline was not measured. */
export function sentencesOf({
  cells,
  baseline,
}: Pick<HandshakesDocument, 'cells' | 'baseline'>): [string, ...string[]] | [] {
  if (baseline === null) return [];
  return [
    `A ${baseline.cell.resumption} handshake costs ${us(baseline)} of CPU on both ends together (${nameCell(baseline.cell)}): ${printNumber(baseline.connectionsPerS, 0)} connections per second on one core running both.`,
    ...resumedSentence(cells, baseline),
    ...dearestSentence(cells, baseline),
  ];
}

function resumedSentence(cells: readonly CellResult[], baseline: MeasuredCell): string[] {
  const twin = measuredOf(cells).find(
    ({ cell }) =>
      cell.resumption === 'resumed' &&
      baseline.cell.resumption === 'full' &&
      sameBut(cell, baseline.cell, 'resumption'),
  );
  if (twin === undefined) return [];
  return [`Resumed with a ticket, it costs ${us(twin)}${against(twin)}.`];
}

function dearestSentence(cells: readonly CellResult[], baseline: MeasuredCell): string[] {
  const full = measuredOf(cells).filter(
    ({ cell }) => cell.resumption === 'full' && cell.bytes === baseline.cell.bytes,
  );
  const dearest = full.toSorted((a, b) => b.cpuUs.median - a.cpuUs.median)[0];
  if (dearest === undefined || dearest.cell.id === baseline.cell.id) return [];
  const lowest = dearest.ratio?.lo ?? 0;
  if (lowest <= 1) return [];
  const rivals = full.filter((cell) => cell !== dearest && (cell.ratio?.hi ?? 0) >= lowest);
  const claim = rivals.length === 0 ? 'The most expensive handshake' : 'Among the most expensive handshakes';
  return [`${claim} in the grid is ${nameCell(dearest.cell)}: ${us(dearest)}${against(dearest)}.`];
}

export function measuredOf(cells: readonly CellResult[]): MeasuredCell[] {
  return cells.filter((cell) => cell.status === 'measured');
}

/** `TLS 1.3, X25519, P-256`, and the suite where the protocol leaves a choice that matters. */
export function nameCell(cell: HandshakeCell): string {
  const { version, key, cipher } = cell;
  return `${version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0')}, ${groupInWords(cell) ?? 'RSA encryption'}, ${key}${version === 'TLSv1.3' ? '' : `, ${cipher}`}`;
}

function sameBut(one: HandshakeCell, other: HandshakeCell, axis: keyof HandshakeCell): boolean {
  const { id: _, ...axes } = one;
  return (Object.keys(axes) as (keyof typeof axes)[]).every(
    (name) => name === axis || one[name] === other[name],
  );
}

function us({ cpuUs }: MeasuredCell): string {
  return `${printNumber(cpuUs.median, 0)} µs`;
}

function against({ ratio }: MeasuredCell): string {
  if (ratio === null) return '';
  return `, ${printNumber(ratio.center, 2)} times as much (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`;
}

/** What it is asked for with, tells and leaves behind. */
export const handshakes = {
  request: handshakesRequestSchema,
  document: handshakesDocumentSchema,
  event: cellsEventsSchema,
};
