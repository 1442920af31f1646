/** Protects what is said of a level: known means come out, groups are of like cells, and whiskers hold what rounds share. */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import {
  type FactorPlanInput,
  factorPlanSchema,
  type LevelGroup,
  type LevelView,
  type ServersCell,
} from '../../../shared/kinds/servers/servers-result.ts';
import { simulateVisits, type Truth } from '../../testing/simulated-visits.ts';
import { levelsOf } from './servers-document.ts';

const cellsOf = (plan: FactorPlanInput) => expandPlan(factorPlanSchema.parse(plan));

function viewBy(views: readonly LevelView[], ...factors: string[]): LevelView {
  const view = views.find((each) => each.factors.join() === factors.join());
  if (view === undefined) throw new Error(`no view by ${factors.join()}`);
  return view;
}

function groupOf({ groups }: LevelView, ...levels: (string | number | boolean)[]): LevelGroup {
  const group = groups.find((each) => each.levels.join() === levels.join());
  if (group === undefined) throw new Error(`no group of ${levels.join()}`);
  return group;
}

const plan: FactorPlanInput = {
  shape: 'grid',
  levels: { key: ['P-256', 'RSA-2048'], keepAlive: [true, false], concurrency: [1, 16] },
};

/** Keep-alive is worth 6 times, 16 connections 4 times; HTTPS answers 0.8 as often on new connections. */
const known: Truth = ({ settings: { keepAlive, concurrency } }, side) => {
  const perS =
    (keepAlive ? 6000 : 1000) * (concurrency === 16 ? 4 : 1) * (side === 'https' && !keepAlive ? 0.8 : 1);
  return { perS, cpuUs: 1e6 / perS };
};

test('every factor that varies has a view, and every two of them', () => {
  const cells = cellsOf(plan);
  const views = levelsOf(cells, simulateVisits(cells, known));
  expect(views.map(({ factors }) => factors.join())).toEqual([
    ...['key', 'keepAlive', 'concurrency'],
    ...['key,keepAlive', 'key,concurrency', 'keepAlive,concurrency'],
  ]);
  expect(views.every(({ matched }) => matched)).toBe(true);
});

test('a level is the geometric mean over its cells, and its ratio theirs', () => {
  const cells = cellsOf(plan);
  const views = levelsOf(cells, simulateVisits(cells, known));
  const kept = groupOf(viewBy(views, 'keepAlive'), true);
  const opened = groupOf(viewBy(views, 'keepAlive'), false);
  expect(kept.cells).toBe(4);
  // √(6000 · 24000) and √(1000 · 4000).
  expect(kept.throughput?.http.center).toBeCloseTo(12_000, 6);
  expect(opened.throughput?.http.center).toBeCloseTo(2000, 6);
  expect(opened.throughput?.https.center).toBeCloseTo(1600, 6);
  expect(opened.throughput?.ratio.center).toBeCloseTo(0.8, 10);
  expect(opened.cpu?.ratio.center).toBeCloseTo(1.25, 10);
  const both = groupOf(viewBy(views, 'keepAlive', 'concurrency'), false, 16);
  expect(both).toMatchObject({ cells: 2, throughput: { http: { center: expect.closeTo(4000, 6) } } });
});

test('what slows all cells of a round is in the interval, however many cells there are', () => {
  const cells = cellsOf({
    shape: 'grid',
    levels: { keepAlive: [true, false], document: Array.from({ length: 20 }, (_, index) => 1000 + index) },
  });
  const visits = simulateVisits(cells, known, { ofRound: 0.1, noise: 0.001 });
  const { throughput } = groupOf(viewBy(levelsOf(cells, visits), 'keepAlive'), true);
  // t(0.975, 5) · 0.1 ÷ √6 is 10.5 %; as if cells were independent it would be a fifth of that.
  const reach = Math.log((throughput?.http.hi ?? 0) / (throughput?.http.lo ?? 1)) / 2;
  expect(reach).toBeGreaterThan(0.05);
  expect(reach).toBeLessThan(0.25);
  // Both sides of a visit share it, so the ratio does not have it.
  const ofRatio = Math.log((throughput?.ratio.hi ?? 0) / (throughput?.ratio.lo ?? 1)) / 2;
  expect(ofRatio).toBeLessThan(0.005);
});

test('intervals hold the truth as often as they say', () => {
  const cells = cellsOf({ shape: 'grid', levels: { keepAlive: [true, false], concurrency: [1, 16] } });
  const held = Array.from({ length: 200 }, (_, seed) => {
    const visits = simulateVisits(cells, known, { ofRound: 0.1, noise: 0.05, seed: seed + 1 });
    const { throughput } = groupOf(viewBy(levelsOf(cells, visits), 'keepAlive'), true);
    return throughput !== null && throughput.https.lo <= 12_000 && 12_000 <= throughput.https.hi;
  }).filter(Boolean).length;
  expect(held).toBeGreaterThanOrEqual(180);
  expect(held).toBeLessThan(200);
});

test('a rest that was not measured at every level is in no group', () => {
  const cells = cellsOf(plan);
  const out = (cell: ServersCell) => cell.settings.key === 'RSA-2048' && cell.settings.concurrency === 16;
  const visits = simulateVisits(cells, known).map((visit) => {
    const cell = cells[visit.cell];
    return cell !== undefined && out(cell) ? { ...visit, arms: null, failure: 'It fell over.' } : visit;
  });
  const view = viewBy(levelsOf(cells, visits), 'concurrency');
  expect(view.matched).toBe(true);
  expect(view.groups.map(({ cells: count }) => count)).toEqual([2, 2]);
  const [one, sixteen] = [groupOf(view, 1), groupOf(view, 16)];
  const ratio = (sixteen.throughput?.http.center ?? 0) / (one.throughput?.http.center ?? 1);
  expect(ratio).toBeCloseTo(4, 10);
});

test('a visit that failed once moves the mean of its group towards no other cell', () => {
  const cells = cellsOf(plan);
  const visits = simulateVisits(cells, known).map((visit) =>
    visit.cell === 0 && visit.round > 1 ? { ...visit, arms: null, failure: 'It fell over.' } : visit,
  );
  const { throughput } = groupOf(viewBy(levelsOf(cells, visits), 'keepAlive'), true);
  expect(throughput?.http.center).toBeCloseTo(12_000, 6);
});

test('one factor at a time has each level against the base, not against all other cells', () => {
  const cells = cellsOf({ ...plan, shape: 'each' });
  const view = viewBy(levelsOf(cells, simulateVisits(cells, known)), 'keepAlive');
  expect(view.matched).toBe(true);
  expect(view.groups.map(({ cells: count }) => count)).toEqual([1, 1]);
  expect(groupOf(view, true).throughput?.http.center).toBeCloseTo(6000, 6);
});

test('listed cells that share nothing are grouped as they are, and it is said', () => {
  const cells = cellsOf({
    shape: 'cells',
    cells: [
      { keepAlive: true, concurrency: 1 },
      { keepAlive: false, concurrency: 16 },
    ],
  });
  const view = viewBy(levelsOf(cells, simulateVisits(cells, known)), 'keepAlive');
  expect(view).toMatchObject({ matched: false, groups: [{ cells: 1 }, { cells: 1 }] });
});

test('a level at which nothing was measured has no figures, and the others keep theirs', () => {
  const cells = cellsOf({ shape: 'grid', levels: { concurrency: [1, 16, 2000], keepAlive: [true, false] } });
  const visits = simulateVisits(cells, known).map((visit) =>
    cells[visit.cell]?.settings.concurrency === 2000
      ? { ...visit, arms: null, failure: 'It fell over.' }
      : visit,
  );
  const view = viewBy(levelsOf(cells, visits), 'concurrency');
  expect(view.matched).toBe(true);
  expect(view.groups.map(({ cells: count, throughput }) => [count, throughput === null])).toEqual([
    [2, false],
    [2, false],
    [0, true],
  ]);
});

test('a view with more bars than anyone reads is left out', () => {
  const cells = cellsOf({
    shape: 'grid',
    levels: {
      document: Array.from({ length: 20 }, (_, index) => index),
      concurrency: Array.from({ length: 11 }, (_, index) => index + 1),
    },
  });
  const views = levelsOf(cells, simulateVisits(cells, known, { rounds: 3 }));
  expect(views.map(({ factors }) => factors.join())).toEqual(['concurrency', 'document']);
});
