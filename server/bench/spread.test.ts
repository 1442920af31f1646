/** Protects how spreads of repeated estimates are compared, and split by where they come from. */
import { expect, test } from 'vitest';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };
import { meanInterval, spreadOf, spreadRatio } from './spread.ts';
import { splitVariance } from './variance-split.ts';

test.each(reference.paired.filter(({ confidence }) => confidence === 0.95))(
  'the mean of $values has SciPy’s interval',
  ({ values, center, lo, hi }) => {
    const interval = meanInterval(values);
    expect(interval?.center).toBeCloseTo(center, 12);
    expect(interval?.lo).toBeCloseTo(lo, 11);
    expect(interval?.hi).toBeCloseTo(hi, 11);
  },
);

test('one value has no interval and no spread', () => {
  expect(meanInterval([1])).toBeNull();
  expect(spreadOf([1])).toBeNull();
  expect(spreadRatio([1, 2], [3, 3])).toBeNull();
});

test('the ratio of two spreads has the bounds of F, and swapping them inverts it', () => {
  const [wide, narrow] = [
    [0, 4, 8],
    [0, 1, 2],
  ];
  const ratio = spreadRatio(wide, narrow);
  expect(ratio?.center).toBeCloseTo(4, 12);
  // F with 2 and 2 degrees of freedom lies below p / (1 − p) with probability p.
  expect(ratio?.lo).toBeCloseTo(4 / Math.sqrt(39), 9);
  expect(ratio?.hi).toBeCloseTo(4 * Math.sqrt(39), 9);
  expect(spreadRatio(narrow, wide)?.lo).toBeCloseTo(1 / (ratio?.hi ?? Number.NaN), 9);
});

test('each level gets its own variance: epochs 1 apart, launches 10 apart, runs alike', () => {
  const values = [0, 0].flatMap((_, run) =>
    [0, 10].flatMap((launch) =>
      [0, 1].map((epoch) => ({ ...{ run, launch, value: launch + epoch }, error: 0.5 })),
    ),
  );
  const split = splitVariance(values);
  // Epochs: 1/2, of which 1/4 within. Launch means: 50, of which 1/4 from epochs.
  expect(split.rest).toBeCloseTo(0.5, 12);
  expect(split.epochs).toBeCloseTo(Math.sqrt(0.25), 12);
  expect(split.launches).toBeCloseTo(Math.sqrt(49.75), 12);
  expect(split.runs).toBe(0);
});

test('with one epoch a launch and unknown errors nothing is said of epochs and the rest', () => {
  const values = [1, 2, 3].map((value, launch) => ({ run: 0, launch, value, error: null }));
  expect(splitVariance(values)).toEqual({ runs: null, launches: 1, epochs: null, rest: null });
});
