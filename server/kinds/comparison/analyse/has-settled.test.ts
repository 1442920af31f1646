/** Protects when a warm-up may end: cost and ratio stand still, by CPU or else by latency. */
import { expect, test } from 'vitest';
import type { Window } from '../../../../shared/block.ts';
import { hasSettled } from './has-settled.ts';

type Cost = { baseline: number | null; comparison: number | null };

const byCpu = (costs: readonly Cost[]) =>
  costs.map(({ baseline, comparison }) =>
    windowOf((cost) => ({ cpuUs: cost === null ? null : 10 * cost }), baseline, comparison),
  );
const byLatency = (costs: readonly Cost[]) =>
  costs.map(({ baseline, comparison }) => windowOf((medianUs) => ({ medianUs }), baseline, comparison));

function windowOf(
  of: (cost: number | null) => Partial<Window['arms']['baseline']>,
  baseline: number | null,
  comparison: number | null,
): Pick<Window, 'arms'> {
  const arm = (cost: number | null) => ({
    transactions: 10,
    cpuUs: null,
    medianUs: null,
    perS: null,
    ...of(cost),
  });
  return { arms: { baseline: arm(baseline), comparison: arm(comparison), twin: arm(baseline) } };
}

const still: Cost[] = [100, 102, 101, 100].map((baseline) => ({ baseline, comparison: 1.2 * baseline }));

test.each([
  ['CPU', byCpu],
  ['latency', byLatency],
])('windows whose %s stands still have settled', (_name, of) => {
  expect(hasSettled(of(still))).toBe(true);
});

test('fewer than four windows say nothing', () => {
  expect(hasSettled(byCpu(still.slice(1)))).toBe(false);
});

test('only the last four windows count', () => {
  expect(hasSettled(byCpu([{ baseline: 300, comparison: 500 }, ...still]))).toBe(true);
});

test('a cost that falls by 4 % is still moving, on either side', () => {
  const falling = [100, 100, 96, 96];
  expect(hasSettled(byCpu(falling.map((cost) => ({ baseline: cost, comparison: 120 }))))).toBe(false);
  expect(hasSettled(byCpu(falling.map((cost) => ({ baseline: 100, comparison: cost }))))).toBe(false);
});

test('sides that move apart by 4 % together have not settled, though each moved by 2 %', () => {
  const apart = [0, 0, 1, 1].map((later) => ({ baseline: 100 - 2 * later, comparison: 120 + 2.4 * later }));
  expect(hasSettled(byCpu(apart))).toBe(false);
});

test('a side without a figure has not settled', () => {
  expect(hasSettled(byLatency([...still.slice(1), { baseline: 100, comparison: null }]))).toBe(false);
});
