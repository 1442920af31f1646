/** Protects how a shift is printed: in percent, points or its unit, and only where it is real. */
import { expect, test } from 'vitest';
import { intervalDecimals } from '../../base/quantity.ts';
import { sampleUtilization } from '../../testing/sample-metric.ts';
import { printDifferenceOf, scaleOf, shiftOf } from './shift.ts';

test('the difference of two percentages is in points, as beside a relative change a % would be read as one', () => {
  expect(shiftOf(sampleUtilization)).toEqual({
    center: '+21.3 %',
    interval: '+20.4 to +22.2 %',
    absolute: '+13 points',
    absoluteInterval: { ends: '+12 to +14', unit: 'points' },
  });
});

test('a difference that is not real has an interval and no center', () => {
  const shift = shiftOf({ ...sampleUtilization, outcome: 'inconclusive' });
  expect(shift).toEqual({
    center: null,
    interval: '+20.4 to +22.2 %',
    absolute: null,
    absoluteInterval: { ends: '+12.0 to +14.0', unit: 'points' },
  });
});

test('a difference that is too little to matter has its figure', () => {
  const within = { ...sampleUtilization, ratio: { center: 1.008, lo: 1.005, hi: 1.011 } };
  expect(shiftOf({ ...within, outcome: 'no_overhead' })).toMatchObject({
    ...{ center: '+0.8 %', interval: '+0.5 to +1.1 %' },
  });
});

test('a refused comparison has nothing', () => {
  expect(shiftOf({ ...sampleUtilization, outcome: 'refused' })).toBeNull();
});

test('a metric without a ratio is compared in its unit', () => {
  const shift = shiftOf({
    ...sampleUtilization,
    unit: 'bytes',
    ratio: null,
    delta: { center: 4e6, lo: -1e6, hi: 9e6 },
  });
  expect(shift).toMatchObject({ center: '+4,000,000 B', interval: '−1,000,000 to +9,000,000 B' });
});

test('a row has two digits of a difference that is printed, else three of its sides', () => {
  const tiny = { ...sampleUtilization, delta: { center: 0.001, lo: 0, hi: 0.002 } };
  expect(scaleOf(tiny).decimals).toBe(3);
  expect(scaleOf({ ...tiny, outcome: 'inconclusive' }).decimals).toBe(2);
});

test.each([
  [24.04, 1.7503],
  [106.3016158, 1.0081442699],
  [12.3, 1.21],
  [1420.7, 0.9962],
  [0.83, 3.4],
])('a row of %d and %d subtracts and divides as printed', (first, by) => {
  const ratio = { center: by, lo: by * 0.999, hi: by * 1.001 };
  const baseline = { center: first, lo: first, hi: first };
  const comparison = { center: first * by, lo: first * by, hi: first * by };
  const center = first * (by - 1);
  const delta = { center, lo: center - 0.001 * first, hi: center + 0.001 * first };
  const row = { unit: 'us', baseline, comparison, delta, ratio, outcome: 'overhead' } as const;
  const { decimals } = scaleOf(row);
  const read = (text = '') => Number.parseFloat(text.replaceAll(',', '').replace('−', '-'));
  const printed = printDifferenceOf(row);
  const [from = 0, to = 0] = printed?.values.split(' → ').map(read) ?? [];
  expect((to - from).toFixed(decimals)).toBe(read(printed?.signed).toFixed(decimals));
  expect((100 * (to / from - 1)).toFixed(intervalDecimals(ratio))).toBe(
    read(printed?.change?.signed).toFixed(intervalDecimals(ratio)),
  );
});
