/** Protects when a warm-up may end: a transaction no longer gets cheaper, by CPU or else by its time. */
import { expect, test } from 'vitest';
import { sideNames } from '../../../../shared/base/transport.ts';
import type { Window } from '../../../../shared/kinds/comparison/block.ts';
import { noLongerFalls } from './no-longer-falls.ts';

type Cost = { baseline: number | null; comparison: number | null };

const byCpu = (costs: readonly Cost[]) =>
  costs.map((cost) => windowOf((us) => ({ cpuUs: us === null ? null : 10 * us }), cost));
const byTime = (costs: readonly Cost[]) =>
  costs.map((cost) => windowOf((us) => ({ perS: us === null ? null : 1e6 / us }), cost));

function windowOf(
  of: (cost: number | null) => Partial<Window['arms']['baseline']>,
  { baseline, comparison }: Cost,
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
  ['time', byTime],
])('a transaction whose %s stands still no longer gets cheaper', (_name, of) => {
  expect(noLongerFalls(of(still), sideNames)).toBe(true);
});

test('fewer than four windows say nothing', () => {
  expect(noLongerFalls(byCpu(still.slice(1)), sideNames)).toBe(false);
});

test('only the last four windows count', () => {
  expect(noLongerFalls(byCpu([{ baseline: 300, comparison: 500 }, ...still]), sideNames)).toBe(true);
});

test('a cost that falls by 4 % still falls, on either side', () => {
  const falling = [100, 100, 96, 96];
  expect(noLongerFalls(byCpu(falling.map((cost) => ({ baseline: cost, comparison: 120 }))), sideNames)).toBe(
    false,
  );
  expect(noLongerFalls(byCpu(falling.map((cost) => ({ baseline: 100, comparison: cost }))), sideNames)).toBe(
    false,
  );
});

test('a cost that rises is not waited for', () => {
  expect(
    noLongerFalls(byCpu([100, 100, 108, 108].map((baseline) => ({ baseline, comparison: 120 }))), sideNames),
  ).toBe(true);
});

test('a side without a figure may still fall', () => {
  expect(noLongerFalls(byTime([...still.slice(1), { baseline: 100, comparison: null }]), sideNames)).toBe(
    false,
  );
});
