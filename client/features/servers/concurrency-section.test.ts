/** Protects the curves over the connections: one for each server, points in order, and the place where errors begin. */

import { expect, test } from 'vitest';
import { type CellResult, cellSettingsSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { byChange, curveSets, hasChanged, overlayCells, whereErrorsBegin } from './concurrency-section.tsx';

const flat = { center: 1, lo: 1, hi: 1 };

function cell(settings: object, change: Partial<CellResult> = {}): CellResult {
  return {
    cell: { index: 0, id: JSON.stringify(settings), settings: cellSettingsSchema.parse(settings) },
    ...{ visits: 6, failures: [], generatorLimited: false, errorShare: 0, cpu: null, latency: null },
    throughput: { http: flat, https: flat, ratio: flat, twinRatio: flat },
    ...change,
  };
}

test('each server has a curve in the order of its connections, in a set for each choice of the rest', () => {
  const cells = (['nginx', 'apache'] as const).flatMap((server) =>
    [320, 1, 32].flatMap((concurrency) =>
      [true, false].map((keepAlive) => cell({ server, concurrency, keepAlive })),
    ),
  );
  const sets = curveSets(cells);
  expect(sets.map(({ name }) => name)).toEqual(['connections kept open', 'connections new for each request']);
  expect(
    sets[1]?.curves.map(({ server, points }) => [
      server,
      ...points.map((each) => each.cell.settings.concurrency),
    ]),
  ).toEqual([
    ['nginx', 1, 32, 320],
    ['apache', 1, 32, 320],
  ]);
  expect(sets[1]?.curves[0]?.points.every((each) => !each.cell.settings.keepAlive)).toBe(true);
});

test('where the number of connections does not vary there is none', () => {
  expect(curveSets([cell({ keepAlive: true }), cell({ keepAlive: false })])).toEqual([]);
});

test.each([
  [[0, 0, 0], [], 'nginx: no errors up to 1,000 connections.'],
  [[0, 0.0042, 0.2], [], 'nginx: errors from 256 connections on, 0.42 % of the requests there.'],
  [[0, 0.00001, 0], [], 'nginx: errors from 256 connections on, less than 0.01 % of the requests there.'],
  [[0, 0, null], ['It closed them.'], 'nginx: errors from 1,000 connections on. It closed them.'],
])('error shares of %j with failures %j: %s', (shares, failures, sentence) => {
  const points = [1, 256, 1000].map((concurrency, index) =>
    cell({ concurrency }, { errorShare: shares[index] ?? null, failures: index === 2 ? failures : [] }),
  );
  expect(whereErrorsBegin({ server: 'nginx', points })).toBe(sentence);
});

/** Protects the comparison of two sweeps: the same cells are paired, and both intervals are in the change. */

const estimate = (center: number, factor: number) => ({ center, lo: center / factor, hi: center * factor });

function overlayCell(id: string, perS: number, factor = 1.02): CellResult {
  const figures = {
    ...{ http: estimate(2 * perS, factor), https: estimate(perS, factor) },
    ...{ ratio: estimate(0.5, factor), twinRatio: estimate(1, factor) },
  };
  return { cell: { id }, throughput: figures, cpu: null } as unknown as CellResult;
}

test('a cell that serves twice as much has changed, one within both intervals has not', () => {
  const overlaid = overlayCells(
    [overlayCell('a', 2000), overlayCell('b', 1010), overlayCell('new', 5)],
    [overlayCell('b', 1000), overlayCell('a', 1000), overlayCell('gone', 5)],
    'throughput',
  );
  expect(overlaid.map((each) => [each.cell.id, hasChanged(each)])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(overlaid[0]?.change.center).toBeCloseTo(2, 10);
  expect(overlaid.toSorted(byChange)[0]?.cell.id).toBe('a');
});

test('reaches of 3 and 4 % are one of 5 %', () => {
  const [only] = overlayCells(
    [overlayCell('a', 1000, Math.exp(0.03))],
    [overlayCell('a', 1000, Math.exp(0.04))],
    'throughput',
  );
  expect(Math.log(only?.change.hi ?? 0)).toBeCloseTo(0.05, 10);
  expect(Math.log(only?.change.lo ?? 0)).toBeCloseTo(-0.05, 10);
});

test('what one of them has not measured is left out', () => {
  expect(overlayCells([overlayCell('a', 1)], [overlayCell('a', 1)], 'cpu')).toEqual([]);
});
