/** Protects that a line does not break between a figure and its unit. */
import { expect, test } from 'vitest';
import { keepUnits } from './keep-units.ts';

test('a figure keeps its unit, and nothing else is joined', () => {
  expect(keepUnits('costs 51 µs, +12 % (10 to 15 %) of 2 cores in 3 steps')).toBe(
    'costs 51\u00a0µs, +12\u00a0% (10 to 15\u00a0%) of 2\u00a0cores in 3 steps',
  );
});
