/** Protects the drawing of two results: only what both know is drawn, a run by its launches, the lab by what changed most. */
import { expect, test } from 'vitest';
import type {
  ComparedMetric,
  FigureChange,
  MetricChange,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { drawableOf, figureRows, launchRows, mostChanged, withShortNames } from './figures-section.tsx';

const around = (center: number) => ({ center, lo: center - 0.02, hi: center + 0.02 });
const compared = (center: number, launches: number): ComparedMetric => ({
  id: 'cpu_at_load',
  unit: 'us',
  baseline: around(100),
  comparison: around(118),
  delta: around(18),
  ratio: around(center),
  twinRatio: around(1.001),
  ratioOfAll: null,
  launches: Array.from({ length: launches }, (_, launch) => ({
    launch,
    ratio: around(center + launch / 100),
    twinRatio: launch === 0 ? null : 1.002,
  })),
  outcome: 'overhead',
  reasons: [],
});
const change: MetricChange = {
  id: 'cpu_at_load',
  unit: 'us',
  from: compared(1.18, 2),
  to: compared(1.12, 0),
  ratio: around(0.95),
  delta: null,
  outcome: 'changed',
  reasons: [],
};

test('what one result has not, or refused, is not drawn', () => {
  const refused = { ...compared(1.1, 1), outcome: 'refused' as const };
  expect(drawableOf([change, { ...change, from: null }, { ...change, to: refused }])).toEqual([change]);
});

test('each launch has a row, and a result without launches its own alone', () => {
  const [drawable] = drawableOf([change]);
  if (drawable === undefined) throw new Error('both are known');
  const { rows, unit } = launchRows(drawable);
  expect(unit).toBe('percent');
  expect(rows.map(({ name }) => name)).toEqual(['First, start 1', 'First, start 2', 'First, all', 'Second']);
  expect(rows.map(({ hollow }) => hollow?.toFixed(3) ?? null)).toEqual([null, '0.002', '0.001', '0.001']);
  expect(rows.map(({ strong = false }) => strong)).toEqual([false, false, true, true]);
  const inUs = launchRows(drawable, 'us');
  expect(inUs.unit).toBe('us');
  expect(inUs.rows.map(({ interval }) => Number(interval.center.toFixed(3)))).toEqual([18, 19, 18, 18]);
  const { baseline: _, ...unknown } = drawable.to;
  expect(launchRows({ ...drawable, to: { ...unknown, baseline: null } }, 'us').unit).toBe('percent');
});

const wide = (center: number) => ({ center, lo: center * 0.9, hi: center * 1.1 });
const figure = (name: string, from: number, to: number, outcome: FigureChange['outcome']): FigureChange => ({
  ...{ id: name, name, outcome, delta: null },
  ...{ from: wide(from), to: wide(to), ratio: outcome === 'unknown' ? null : wide(to / from) },
});

test('the figures that changed most are drawn in their order, certain changes before larger uncertain ones', () => {
  const rows = [
    figure('vast but uncertain', 1, 90, 'inconclusive'),
    ...Array.from({ length: 7 }, (_, index) => figure(`halved ${index}`, 2, 1, 'changed')),
    figure('only one has it', 1, 1, 'unknown'),
    figure('barely', 1, 1.01, 'no_change'),
    figure('a little', 1, 1.2, 'changed'),
  ];
  const names = mostChanged(rows).map(({ name }) => name);
  expect(names).toEqual([...Array.from({ length: 7 }, (_, index) => `halved ${index}`), 'a little']);
});

test('parts that all names share are left out, unless nothing else is left', () => {
  const named = (...names: string[]) => names.map((name) => figure(name, 1, 2, 'changed'));
  const short = (...names: string[]) => withShortNames(named(...names)).map(({ name }) => name);
  expect(short('1.3 / P-256 / full', '1.3 / X25519 / resumed')).toEqual(['P-256 / full', 'X25519 / resumed']);
  expect(short('1.3 / full')).toEqual(['1.3 / full']);
});

test('multiples and rates are drawn relative to the first result, overheads and milliseconds as they are', () => {
  const rows = [figure('it', 2, 3, 'changed')];
  const centers = (of: Parameters<typeof figureRows>[0]) =>
    figureRows(of, rows).map(({ interval }) => interval.center);
  expect(centers('multiple')).toEqual([0, 0.5]);
  expect(centers('per_second')).toEqual([0, 0.5]);
  expect(centers('overhead')).toEqual([1, 2]);
  expect(centers('ms')).toEqual([2, 3]);
  expect(figureRows('ms', rows).map(({ name, result }) => [name, result])).toEqual([
    ['it, first', 'first'],
    ['it, second', 'second'],
  ]);
});
