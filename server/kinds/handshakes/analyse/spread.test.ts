/** Protects how the spread of a cell is summed up from its visits. */
import { expect, test } from 'vitest';
import { spreadOf, userSpreadOf } from './spread.ts';

const visits = [
  { cpuUs: Float64Array.of(100, 200, 300), wallUs: Float64Array.of(1, 2, 3), userUs: 450 },
  { cpuUs: Float64Array.of(400, 1000), wallUs: Float64Array.of(4, 5), userUs: 1050 },
];

test('the connections of all visits are one sample', () => {
  expect(spreadOf(visits, 'wallUs')).toEqual({ mean: 3, median: 3, p5: 1.2, p95: 4.8 });
});

test('the user part is the share that it has in all of them', () => {
  const share = 1500 / 2000;
  const { mean, median } = spreadOf(visits, 'cpuUs');
  expect(userSpreadOf(visits)).toMatchObject({ mean: mean * share, median: median * share });
});
