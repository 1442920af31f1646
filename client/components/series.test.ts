/** Protects the chart of a series: levels, steps and notes appear at the right runs. */
import { expect, test } from 'vitest';
import type { Series } from '../../shared/kinds/comparison/past.ts';
import { levelLine, noiseRibbon, notesOf, placedIn, seriesInWords, seriesRows, whiskers } from './series.tsx';

const around = (center: number) => ({ center, lo: center - 0.02, hi: center + 0.02 });
const run = (place: number, center: number, versions: string[] = []): Series['runs'][number] => ({
  id: `${place}`.padEnd(22, 'r'),
  url: `/r/${place}`,
  createdAt: Date.UTC(2026, 10, place, 12),
  ratio: around(center),
  first: 100,
  outcome: 'overhead',
  versions,
});
const stepped: Series = {
  title: 'Search on storefront',
  metric: 'cpu_at_load',
  runs: [
    run(1, 1.2),
    run(2, 1.2),
    run(3, 1.2),
    run(4, 1.1, ['nginx 1.29.1 → 1.29.3']),
    run(5, 1.1),
    run(6, 1.1),
  ],
  levels: [
    { from: 0, to: 3, ratio: around(1.2), noise: { lo: 1.17, hi: 1.23 }, step: null },
    {
      ...{ from: 3, to: 6, ratio: around(1.1), noise: { lo: 1.07, hi: 1.13 } },
      step: { center: 0.917, lo: 0.9, hi: 0.935 },
    },
  ],
  baseline: '1'.padEnd(22, 'r'),
};
const flat: Series = {
  ...stepped,
  runs: stepped.runs.slice(0, 3),
  levels: [{ from: 0, to: 3, ratio: around(1.2), noise: { lo: 1.17, hi: 1.23 }, step: null }],
};

test('a level reaches half a run beyond its ends, with a gap before the next', () => {
  const percent = placedIn('percent', { ...stepped, isTime: true });
  const line = levelLine(stepped, percent);
  expect(line.map(({ x }) => x)).toEqual([0.5, 3.5, 3.5, 3.5, 6.5, 6.5]);
  expect(line.map(({ y }) => (Number.isNaN(y) ? null : Number(y.toFixed(3))))).toEqual([
    ...[0.2, 0.2, null],
    ...[0.1, 0.1, null],
  ]);
  const drawn = whiskers(stepped, percent).filter(({ y }) => !Number.isNaN(y));
  expect(drawn.map(({ x }) => x)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  expect(drawn[1]?.y).toBeCloseTo(0.22, 12);
  expect(noiseRibbon(stepped, percent).map(({ x }) => x)).toEqual([0.5, 3.5, 3.5, 6.5]);
});

test('values are in the unit of the page, in percent if a run does not know it', () => {
  const us = placedIn('us', { ...stepped, isTime: true });
  expect([us.unit, us.print(us.run(0, 1.2))]).toEqual(['us', '+20.0 µs']);
  expect(us.printInterval({ lo: 18, center: 20, hi: 22 })).toBe('+18.0 to +22.0 µs');
  expect(levelLine(stepped, us)[0]?.y).toBeCloseTo(20, 9);
  const runs = stepped.runs.map((each, place) => (place === 0 ? { ...each, first: null } : each));
  expect(placedIn('us', { ...stepped, isTime: true, runs }).unit).toBe('percent');
  expect(placedIn('us', { ...stepped, isTime: false }).unit).toBe('percent');
  const ratio = placedIn('ratio', { ...stepped, isTime: true });
  expect(ratio.print(ratio.run(0, 1.2))).toBe('×1.200');
});

test('the sentence names each step with its interval and date, or the expected range if there is no step', () => {
  expect(seriesInWords(stepped)).toMatch(/^1 step in 6 runs: −8\.3 % \(−10\.0 to −6\.5 %\) on 4 Nov 2026/);
  expect(seriesInWords(flat)).toBe(
    'No step in 3 runs; without a change, 95 % of runs fall within +17.0 to +23.0 %',
  );
  expect(seriesInWords({ ...flat, runs: [], levels: [] })).toBe('No run in this series has this metric');
});

test('notes mark the run on this page, the baseline, steps, and new versions', () => {
  const rows = seriesRows(stepped);
  const notes = rows.map((row) => notesOf(row, '4'.padEnd(22, 'r')));
  expect(notes[0]).toEqual(['Reference']);
  expect(notes[1]).toEqual([]);
  expect(notes[3]).toEqual(['This run', 'Step −8.3 % (−10.0 to −6.5 %)', 'nginx 1.29.1 → 1.29.3']);
});
