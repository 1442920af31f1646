/** Protects the time that the form promises: what samples scatter by here, what is shipped elsewhere, and what others take. */
import { expect, test } from 'vitest';
import { lengths } from '../../../../shared/kinds/comparison/load-names.ts';
import { expectTimes } from './expect-times.ts';

const secondsOf = (known: Parameters<typeof expectTimes>[0], taken = 0) =>
  Object.fromEntries(
    expectTimes(known, taken).map(({ target, length, seconds }) => [`${target} ${length}`, seconds]),
  );

test('without runs, a first answer takes its fewest launches, and a finer one more', () => {
  expect(secondsOf([])).toMatchObject({ 'storefront first': 30, 'managed first': 25, 'origins first': 20 });
  const times = secondsOf([]);
  expect(times['storefront quote']).toBeGreaterThan(times['storefront first'] ?? 0);
  expect(times['storefront fine']).toBeGreaterThan(times['storefront quote'] ?? 0);
});

test('twice the scatter takes four times the samples, within the time of the length', () => {
  const known = (deviation: number) => [{ target: 'origins' as const, deviation }];
  // (2.2 × 0.05 ÷ 0.02)² = 30.25 samples are six epochs of 6 s, and (2.2 × 0.1 ÷ 0.02)² = 121 are 21: 15 more, of 9.9 s each.
  const [few, more] = [secondsOf(known(0.05)), secondsOf(known(0.1))];
  expect((more['origins quote'] ?? 0) - (few['origins quote'] ?? 0)).toBeCloseTo(15 * 9.9, -1);
  expect(secondsOf(known(1))['origins quote']).toBe(lengths.quote.atMostS);
  expect(few['managed quote']).toBe(secondsOf([])['managed quote']);
});

test('the newest nine runs count by their median, and half a machine takes longer', () => {
  const of = (deviation: number) => ({ target: 'managed' as const, deviation });
  const known = [...Array(5).fill(of(0.06)), ...Array(4).fill(of(0.01)), ...Array(20).fill(of(1))];
  expect(secondsOf(known)).toEqual(secondsOf([of(0.06)]));
  expect(expectTimes(known, 0).find(({ target }) => target === 'managed')?.runs).toBe(9);
  expect(secondsOf([], 0.5)['managed first']).toBe(45);
});
