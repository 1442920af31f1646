/** Protects what a traffic costs by a list: the sum that its rounds were made of, no more certain than those, and nothing where a price is missing. */
import { expect, test } from 'vitest';
import { http, https, looked, roundsOf } from '../../testing/price-rounds.ts';
import { costPerRequest } from './price-bill.ts';

const command = 'npx tls-toll prices --target nginx';
const list = (rounds = roundsOf(), cells = looked) => ({ cells, rounds, command });
const one = (bytes: number) => [{ bytes, share: 1 }];

test.each([
  [one(1000), 5, 0.5],
  [one(100), 1, 0],
  [one(40_000), 100, 1],
  [
    [
      { bytes: 2000, share: 0.7 },
      { bytes: 700_000, share: 0.3 },
    ],
    3,
    0.9,
  ],
  [one(1_000_000), Number.POSITIVE_INFINITY, 0],
])(
  'a traffic of %j, %d requests per connection, and %d returning costs the sum of what it needs',
  (sizes, requestsPerConnection, returningShare) => {
    const found = costPerRequest(list(), { sizes, requestsPerConnection, returningShare });
    const expected = [http, https].map(
      ({ requestUs, connectionUs, resumedUs, usPerByte }, side) =>
        requestUs +
        sizes.reduce((sum, { bytes, share }) => sum + share * Math.max(0, bytes - 1000) * usPerByte, 0) +
        ((1 - returningShare) * connectionUs + returningShare * (side === 0 ? connectionUs : resumedUs)) /
          requestsPerConnection,
    );
    const [baseline = 0, comparison = 0] = expected;
    for (const [estimate, truth] of [
      [found.baseline, baseline],
      [found.comparison, comparison],
      [found.difference, comparison - baseline],
    ] as const) {
      if (estimate === null) throw new Error('no price');
      // One interval in twenty excludes the truth.
      expect(Math.abs(estimate.center - truth)).toBeLessThan(estimate.hi - estimate.lo);
      expect(estimate.hi - estimate.lo).toBeLessThan(truth / 10);
    }
    expect(found.missing).toEqual([]);
  },
);

test('a machine that is slower in some rounds widens no difference beyond that of the rounds', () => {
  const rounds = roundsOf({ noise: 0 }).map(({ round, cells }) => ({
    round,
    // µs of every request: the machine’s own, so the difference is exact.
    cells: cells.map((sums) => ({ ...sums, cpuUs: sums.cpuUs + (round % 3) * sums.requests })),
  }));
  const { baseline, difference } = costPerRequest(list(rounds), {
    ...{ sizes: one(4000), requestsPerConnection: 5, returningShare: 0.5 },
  });
  expect(baseline && baseline.hi - baseline.lo).toBeGreaterThan(0.5);
  expect(difference && difference.hi - difference.lo).toBeLessThan(1e-6);
});

test('a larger body is never cheaper', () => {
  const rounds = roundsOf({ addedUs: ({ bytes }) => (bytes === 4000 ? 5 : 0) });
  const costs = [1000, 2000, 4000, 8000, 16_000, 40_000].map(
    (bytes) =>
      costPerRequest(list(rounds), { sizes: one(bytes), requestsPerConnection: 1e6, returningShare: 0 })
        .baseline?.center ?? Number.NaN,
  );
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  // 4 kB and 16 kB share their mean: 24 + (0.6 + 5 + 3) ÷ 2.
  expect(costs[3]).toBeCloseTo(28.3, 0);
});

const mix = { sizes: one(1000), requestsPerConnection: 5, returningShare: 0.5 };

test('a body beyond the largest has no price, and is named', () => {
  const found = costPerRequest(list(), { ...mix, sizes: [...one(1_000_001), { bytes: 5e6, share: 0 }] });
  expect(found).toMatchObject({ baseline: null, comparison: null, difference: null });
  expect(found.missing).toMatchObject([
    { item: 'a body of 1 MB', why: 'The largest body of the list has 1 MB.' },
  ]);
});

test('sessions that are not resumed lack a price only where visitors return', () => {
  const problem = 'The server resumed 0 of 120 sessions.';
  const full = looked.map((cell) => (cell.resumed ? { ...cell, problem } : cell));
  const returning = costPerRequest(list(roundsOf(), full), mix);
  expect(returning).toMatchObject({ comparison: null, difference: null });
  expect(returning.baseline).not.toBeNull();
  expect(returning.missing).toMatchObject([
    { item: 'a new connection that resumes a session', why: problem },
  ]);
  expect(returning.missing[0]?.remedy).toContain(command);
  expect(costPerRequest(list(roundsOf(), full), { ...mix, returningShare: 0 }).missing).toEqual([]);
});

test('two rounds have no price', () => {
  expect(costPerRequest(list(roundsOf().slice(0, 2)), mix)).toMatchObject({
    difference: null,
    missing: [{ remedy: `Measure a list: ${command}.` }],
  });
});

test('a list of one page has no sizes, and names the option that gives them', () => {
  const pages = looked.filter(({ bytes }) => bytes === 1000).map((cell) => ({ ...cell, bytes: null }));
  expect(costPerRequest(list(roundsOf(), pages), mix).missing[0]?.remedy).toContain('--document');
});
