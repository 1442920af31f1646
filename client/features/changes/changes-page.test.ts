/** Protects the drawing of two lab results: the figures that changed most, each on an axis that both share. */
import { expect, test } from 'vitest';
import type { FigureChange } from '../../../shared/kinds/comparison/result-changes.ts';
import { figureRows, mostChanged, withShortNames } from './changes-page.tsx';

const around = (center: number) => ({ center, lo: center * 0.9, hi: center * 1.1 });
const change = (name: string, from: number, to: number, outcome: FigureChange['outcome']): FigureChange => ({
  ...{ id: name, name, outcome, delta: null },
  ...{ from: around(from), to: around(to), ratio: outcome === 'unknown' ? null : around(to / from) },
});

test('the figures that changed most are drawn in their order, certain changes before larger uncertain ones', () => {
  const rows = [
    change('vast but uncertain', 1, 90, 'inconclusive'),
    ...Array.from({ length: 7 }, (_, index) => change(`halved ${index}`, 2, 1, 'changed')),
    change('only one has it', 1, 1, 'unknown'),
    change('barely', 1, 1.01, 'no_change'),
    change('a little', 1, 1.2, 'changed'),
  ];
  const names = mostChanged(rows).map(({ name }) => name);
  expect(names).toEqual([...Array.from({ length: 7 }, (_, index) => `halved ${index}`), 'a little']);
});

test('parts that all names share are left out, unless nothing else is left', () => {
  const named = (...names: string[]) => names.map((name) => change(name, 1, 2, 'changed'));
  const short = (...names: string[]) => withShortNames(named(...names)).map(({ name }) => name);
  expect(short('1.3 / P-256 / full', '1.3 / X25519 / resumed')).toEqual(['P-256 / full', 'X25519 / resumed']);
  expect(short('1.3 / full')).toEqual(['1.3 / full']);
});

test('multiples and rates are drawn relative to the first result, overheads and milliseconds as they are', () => {
  const rows = [change('it', 2, 3, 'changed')];
  const centers = (figure: Parameters<typeof figureRows>[0]) =>
    figureRows(figure, rows).map(({ interval }) => interval.center);
  expect(centers('multiple')).toEqual([0, 0.5]);
  expect(centers('per_second')).toEqual([0, 0.5]);
  expect(centers('overhead')).toEqual([1, 2]);
  expect(centers('ms')).toEqual([2, 3]);
  expect(figureRows('ms', rows).map(({ name, pale = false }) => [name, pale])).toEqual([
    ['it, first', true],
    ['it, second', false],
  ]);
});
