/** Protects the comparison of two lab results: a change has both intervals in it, and what only one has is not compared. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type HandshakesDocument, handshakesDocumentSchema } from './lab.ts';
import { printLabChange } from './lab-change-words.ts';
import { compareLabs } from './lab-changes.ts';
import { labChangesSchema } from './result-changes.ts';
import { speedDocumentSchema } from './speed.ts';

const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../server/database/golden/${name}.json`, import.meta.url), 'utf8'));
const speed = speedDocumentSchema.parse(golden('lab-speed-v3'));
const grid = handshakesDocumentSchema.parse(golden('lab-handshakes-v3'));
const other = '8otherLab0000000000000';
const named = <Document>(document: Document) => ({ document, title: 'Lab' });

test('a primitive that got faster is better, by the quotient, with both intervals in its own', () => {
  const [row] = speed.rows;
  if (row === undefined) throw new Error('the golden document has rows');
  const twice = { center: 20, lo: 19, hi: 21 };
  const from = { ...speed, rows: [{ ...row, operationsPerS: { center: 10, lo: 9.5, hi: 10.5 } }] };
  const to = { ...speed, id: other, rows: [{ ...row, operationsPerS: twice }] };
  const changes = compareLabs(named(from), named(to));
  expect(labChangesSchema.parse(changes)).toEqual(changes);
  const [change] = changes.rows;
  expect(change?.ratio?.center).toBeCloseTo(2, 12);
  const reach = Math.hypot(Math.log(21 / 20), Math.log(10 / 9.5));
  expect(Math.log((change?.ratio?.hi ?? 0) / 2)).toBeCloseTo(reach, 10);
  expect(changes).toMatchObject({ sentence: '1 of 1 figure changed, 1 up and 0 down', setup: [] });
  expect(change && printLabChange(change, 'primitives')).toMatchObject({
    change: '+100.0 %',
    word: 'Better',
  });
  expect(change && printLabChange(change, 'handshakes').word).toBe('Worse');
});

test('the same twice has no change, and names what differs around it', () => {
  const to = { ...grid, id: other, environment: { ...grid.environment, openssl: '9.9.9' } };
  const changes = compareLabs(named(grid), named(to));
  expect(changes.sentence).toMatch(/^None of \d+ figures? changed$/);
  expect(changes.rows.every(({ outcome }) => outcome !== 'changed')).toBe(true);
  expect(changes.setup).toEqual([
    { name: 'OpenSSL of TLS Toll', from: grid.environment.openssl, to: '9.9.9' },
  ]);
});

test('a cell that only one has is listed and not compared; with none in common there is no comparison', () => {
  const measured = grid.cells.filter((cell) => cell.status === 'measured' && cell.ratio !== null);
  const part: HandshakesDocument = { ...grid, id: other, cells: measured.slice(1) };
  const [first] = compareLabs(named(grid), named(part)).rows;
  expect(first).toMatchObject({ to: null, ratio: null, outcome: 'unknown' });
  expect(() => compareLabs(named(grid), named({ ...grid, cells: [] }))).toThrow(/no figure/);
});
