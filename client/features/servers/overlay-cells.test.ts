/** Protects the comparison of two sweeps: the same cells are paired, and both intervals are in the change. */
import { expect, test } from 'vitest';
import type { CellResult } from '../../../shared/kinds/servers/servers-result.ts';
import { byChange, hasChanged, overlayCells } from './overlay-cells.ts';

const estimate = (center: number, factor: number) => ({ center, lo: center / factor, hi: center * factor });

function cell(id: string, perS: number, factor = 1.02): CellResult {
  const figures = {
    ...{ http: estimate(2 * perS, factor), https: estimate(perS, factor) },
    ...{ ratio: estimate(0.5, factor), twinRatio: estimate(1, factor) },
  };
  return { cell: { id }, throughput: figures, cpu: null } as unknown as CellResult;
}

test('a cell that serves twice as much has changed, one within both intervals has not', () => {
  const overlaid = overlayCells(
    [cell('a', 2000), cell('b', 1010), cell('new', 5)],
    [cell('b', 1000), cell('a', 1000), cell('gone', 5)],
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
    [cell('a', 1000, Math.exp(0.03))],
    [cell('a', 1000, Math.exp(0.04))],
    'throughput',
  );
  expect(Math.log(only?.change.hi ?? 0)).toBeCloseTo(0.05, 10);
  expect(Math.log(only?.change.lo ?? 0)).toBeCloseTo(-0.05, 10);
});

test('what one of them has not measured is left out', () => {
  expect(overlayCells([cell('a', 1)], [cell('a', 1)], 'cpu')).toEqual([]);
});
