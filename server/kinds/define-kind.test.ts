/** Protects the comparison of two lab results: a change includes both intervals, and figures that only one has are not compared. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Estimate } from '../../shared/base/units.ts';
import {
  type FigureChange,
  type FigureChanges,
  figureChangesSchema,
} from '../../shared/kinds/comparison/result-changes.ts';
import { distanceDocumentSchema } from '../../shared/kinds/distance/distance.ts';
import { handshakesDocumentSchema } from '../../shared/kinds/handshakes/handshakes.ts';
import { pricesDocumentSchema } from '../../shared/kinds/prices/prices.ts';
import { speedDocumentSchema } from '../../shared/kinds/speed/speed.ts';
import { visitsDocumentSchema } from '../../shared/kinds/visits/visits.ts';
import { printFigureChange } from '../../shared/words/change-words.ts';
import { distance as distanceKind } from './distance/kind.ts';
import { handshakes as handshakesKind } from './handshakes/kind.ts';
import type { Changes, Titled } from './kind.ts';
import { prices as pricesKind } from './prices/kind.ts';
import { speed as speedKind } from './speed/kind.ts';
import { visits as visitsKind } from './visits/kind.ts';

const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../life/database/golden/${name}.json`, import.meta.url), 'utf8'));
const speed = speedDocumentSchema.parse(golden('speed-v1'));
const grid = handshakesDocumentSchema.parse(golden('handshakes-v1'));
const visits = visitsDocumentSchema.parse(golden('visits-v1'));
const distance = distanceDocumentSchema.parse(golden('distance-v1'));
const prices = pricesDocumentSchema.parse(golden('prices-v1'));
const other = '8otherLab0000000000000';
type Compared<Document> = { changes(from: Titled<Document>, to: Titled<Document>): Changes };
const compareFigures = <Document>(kind: Compared<Document>, from: Titled<Document>, to: Titled<Document>) =>
  kind.changes(from, to).changes as FigureChanges;
const named = <Document>(document: Document) => ({ document, title: 'Lab' });
const rowOf = (rows: readonly FigureChange[], name: string) => {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`There is ${rows.map((each) => each.name).join(', ')}.`);
  return row;
};

test('a faster primitive is better by the quotient, whose interval includes both', () => {
  const [row] = speed.rows;
  if (row === undefined) throw new Error('the golden document has rows');
  const twice = { center: 20, lo: 19, hi: 21 };
  const from = { ...speed, rows: [{ ...row, operationsPerS: { center: 10, lo: 9.5, hi: 10.5 } }] };
  const to = { ...speed, id: other, rows: [{ ...row, operationsPerS: twice }] };
  const changes = compareFigures(speedKind, named(from), named(to));
  expect(figureChangesSchema.parse(changes)).toEqual(changes);
  const [change] = changes.rows;
  expect(change?.ratio?.center).toBeCloseTo(2, 12);
  const reach = Math.hypot(Math.log(21 / 20), Math.log(10 / 9.5));
  expect(Math.log((change?.ratio?.hi ?? 0) / 2)).toBeCloseTo(reach, 10);
  expect(changes).toMatchObject({ headline: { title: '1 of 1 figure changed, 1 up and 0 down' }, setup: [] });
  expect(change && printFigureChange(change, changes.figure)).toMatchObject({
    change: '+100.0 %',
    word: 'Costs less',
  });
  expect(change && printFigureChange(change, 'multiple').word).toBe('Costs more');
});

test('equal figures have no change, and differences in the set-up are named', () => {
  const to = { ...grid, id: other, environment: { ...grid.environment, openssl: '9.9.9' } };
  const changes = compareFigures(handshakesKind, named(grid), named(to));
  expect(changes.headline.title).toMatch(/^None of \d+ figures? changed$/);
  expect(changes.rows.every(({ outcome }) => outcome !== 'changed')).toBe(true);
  expect(changes.setup).toEqual([
    { name: 'OpenSSL of TLS Toll', from: grid.environment.openssl, to: '9.9.9' },
  ]);
});

test('a cell that only one result has is listed but not compared; without common cells there is no comparison', () => {
  const [measured] = grid.cells.filter((cell) => cell.status === 'measured' && cell.ratio !== null);
  if (measured === undefined) throw new Error('the grid has no ratio');
  const another = { ...measured, cell: { ...measured.cell, id: 'another' } };
  const whole = { ...grid, cells: [another, measured] };
  const part = { ...grid, id: other, cells: [measured] };
  const [first] = compareFigures(handshakesKind, named(whole), named(part)).rows;
  expect(first).toMatchObject({ to: null, ratio: null, outcome: 'unknown' });
  const none = named({ ...grid, cells: [] });
  expect(() => compareFigures(handshakesKind, named(grid), none)).toThrow(/no figure/);
});

const around = (center: number): Estimate => ({ center, lo: center * 0.99, hi: center * 1.01 });

test('visits are compared by their overhead, not their times, and a refused one is not compared', () => {
  const load = { pass: 'cold', time: 'loadUs' } as const;
  const withLoad = (ratio: number, change: object = {}) => ({
    ...visits,
    ...change,
    rows: visits.rows.map((row) => {
      if (row.pass !== load.pass) return { ...row, outcome: 'refused' as const };
      return row.time === load.time ? { ...row, ratio: around(ratio), outcome: 'overhead' as const } : row;
    }),
  });
  const request = { ...visits.request, journey: { name: 'Search', actions: [], scenario: null } };
  const to = withLoad(1.65, { id: other, browser: 'Chromium 999', request });
  const changes = compareFigures(visitsKind, named(withLoad(1.1)), named(to));
  expect(figureChangesSchema.parse(changes)).toEqual(changes);
  const row = rowOf(changes.rows, 'First visit, load');
  expect(row.ratio?.center).toBeCloseTo(1.5, 12);
  expect(printFigureChange(row, changes.figure)).toMatchObject({
    ...{ from: '+10.0 %', to: '+65.0 %', change: '+50.0 %', word: 'Costs more' },
  });
  expect(rowOf(changes.rows, 'Second visit, load').outcome).toBe('unknown');
  expect(changes.setup).toEqual([
    { name: 'Actions', from: 'built-in', to: '0 actions' },
    { name: 'Browser', from: visits.browser, to: 'Chromium 999' },
  ]);
  expect(printFigureChange({ ...row, from: { center: 1.1, lo: 0.9, hi: 1.3 } }, 'overhead').from).toBe(
    '−10 to +30 %',
  );
});

test('distances are compared by the time that TLS adds on the links that both have', () => {
  const [first, ...others] = distance.links;
  if (first === undefined) throw new Error('the golden document has links');
  const doubled = (estimate: Estimate | null) =>
    estimate === null ? null : { center: estimate.center * 2, lo: estimate.lo * 2, hi: estimate.hi * 2 };
  const to = {
    ...distance,
    id: other,
    links: [...others, { ...first, roundTripMs: 1999 }],
    rows: distance.rows.map((row) => ({
      ...row,
      places: [...row.places.slice(1), row.here].map((place) => ({
        ...place,
        overTcpMs: doubled(place.overTcpMs),
      })),
    })),
  };
  const changes = compareFigures(distanceKind, named(distance), named(to));
  expect(figureChangesSchema.parse(changes)).toEqual(changes);
  expect(changes.rows.some(({ name }) => name.startsWith('TCP'))).toBe(false);
  const row = rowOf(changes.rows, 'TLS 1.3: metro, 5 ms');
  expect(row.delta?.center).toBe(row.from?.center);
  const far = rowOf(changes.rows, 'TLS 1.3: mobile, 60 ms');
  const [once, twice] = [far.from, far.to];
  if (once === null || twice === null) throw new Error('both have it');
  expect(far.delta?.lo).toBeCloseTo(
    once.center - Math.hypot(twice.center - twice.lo, once.hi - once.center),
    10,
  );
  const certain = { ...far, outcome: 'changed' as const, delta: { center: 65.21, lo: 9.1, hi: 120 } };
  expect(printFigureChange(certain, changes.figure)).toEqual({
    ...{
      from: '65.2 ms',
      to: '130.4 ms',
      change: '+65.2 ms',
      interval: '+9.10 to +120.0 ms',
      word: 'Costs more',
    },
  });
  expect(rowOf(changes.rows, 'TLS 1.3: 1,999 ms').from).toBeNull();
  expect(changes.setup).toMatchObject([{ name: 'Links' }]);
});

test('a price whose difference may be zero is compared in its own unit', () => {
  const [first] = prices.items;
  if (first === undefined) throw new Error('the golden document has items');
  const list = (difference: Estimate, unit = first.unit) => ({
    ...prices,
    items: [{ ...first, unit, difference }],
  });
  const from = list({ center: 1, lo: -0.5, hi: 2.5 });
  const to = { ...list({ center: 6, lo: 5, hi: 7 }), id: other };
  const changes = compareFigures(pricesKind, named(from), named(to));
  expect(figureChangesSchema.parse(changes)).toEqual(changes);
  expect(changes.rows[0]).toMatchObject({ ratio: null, delta: { center: 5 }, outcome: 'changed' });
  expect(changes.rows[0] && printFigureChange(changes.rows[0], changes.figure)).toEqual({
    ...{ from: '1.0 µs', to: '6.0 µs', change: '+5.0 µs', interval: '+3.2 to +6.8 µs', word: 'Costs more' },
  });
  const bytes = compareFigures(
    pricesKind,
    named(list({ center: 0, lo: 0, hi: 0 }, 'bytes')),
    named({ ...list({ center: 22, lo: 22, hi: 22 }, 'bytes'), id: other }),
  );
  expect(bytes.rows[0] && printFigureChange(bytes.rows[0], bytes.figure)).toMatchObject({
    ...{ to: '22 B', change: '+22 B' },
  });
});
