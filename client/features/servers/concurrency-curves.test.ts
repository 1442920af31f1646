/** Protects the curves over the connections: one for each server, points in order, and the place where errors begin. */
import { expect, test } from 'vitest';
import { cellSettingsSchema } from '../../../shared/kinds/servers/servers.ts';
import type { CellResult } from '../../../shared/kinds/servers/servers-result.ts';
import { curveSets, whereErrorsBegin } from './concurrency-curves.ts';

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
