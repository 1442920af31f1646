/** Protects the comparison of two sweeps over sizes: arms meet by suite, terms of one form only, and both intervals are in a change. */
import { expect, test } from 'vitest';
import type { Estimate } from '../../../shared/base/units.ts';
import type { SizeForm, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { isBeyondNoise, lineChanges } from './sizes-overlay.tsx';

const around = (center: number, reach: number): Estimate => ({
  center,
  lo: center - reach,
  hi: center + reach,
});

test('a change is beyond both intervals when its own leaves zero out', () => {
  expect(isBeyondNoise({ change: { center: 10, lo: 5, hi: 15 } })).toBe(true);
  expect(isBeyondNoise({ change: { center: -10, lo: -15, hi: -5 } })).toBe(true);
  expect(isBeyondNoise({ change: { center: 10, lo: 0, hi: 23 } })).toBe(false);
  expect(isBeyondNoise({ change: null })).toBe(false);
});

type Arm = { suite: string | null; offset: Estimate; rate?: Estimate | null; record?: Estimate };
type Findings = Pick<SizesDocument, 'arms' | 'comparisons'>;

/** HTTPS arms; straight lines have an offset that is 50 greater than those with records. */
function sizesOf(arms: Arm[], bytes: number | null, interval: { lo: number; hi: number } | null): Findings {
  const line = (form: SizeForm, { offset, rate = around(1000, 30), record }: Arm) => ({
    ...{ form, bytesPerMs: rate, recordUs: form === 'records' ? record : null },
    offsetUs: form === 'records' ? offset : around(offset.center + 50, 3),
  });
  return {
    arms: arms.map((arm, index) => ({
      ...{ arm: index, suite: arm.suite, cpu: null },
      latency: {
        straight: line('straight', arm),
        records: arm.record === undefined ? null : line('records', arm),
        chosen: arm.record === undefined ? 'straight' : 'records',
      },
    })),
    comparisons: arms.map((_, arm) => ({
      ...{ arm, cpu: null },
      latency: { crossovers: [{ percent: 10, by: 'line', bytes, interval }] },
    })),
  } as unknown as Findings;
}

test('suites meet whatever their order, with offset, rate, record and crossover', () => {
  const [a, b] = ['TLS_A', 'TLS_B'].map((suite) => ({
    ...{ suite, offset: around(100, 4), record: around(20, 4) },
  })) as [Arm, Arm];
  const faster = { ...b, offset: around(80, 3), rate: around(1100, 40), record: around(23, 3) };
  const changes = lineChanges(
    sizesOf([faster], 30_000, { lo: 27_000, hi: 33_000 }),
    sizesOf([a, b], 40_000, { lo: 36_000, hi: 44_000 }),
    'latency',
  );
  expect(
    changes.map(({ term, change, ...each }) => [term, change, isBeyondNoise({ ...each, change })]),
  ).toEqual([
    ['offset', { center: -20, lo: -25, hi: -15 }, true],
    ['rate', { center: 100, lo: 50, hi: 150 }, true],
    ['record', { center: 3, lo: -2, hi: 8 }, false],
    ['crossover', { center: -10_000, lo: -15_000, hi: -5000 }, true],
  ]);
  expect(new Set(changes.map(({ arm }) => arm))).toEqual(new Set(['HTTPS with TLS_B']));
});

test('a line with records and a straight one are compared as straight lines', () => {
  const [offset] = lineChanges(
    sizesOf([{ suite: null, offset: around(100, 4), record: around(20, 4) }], null, null),
    sizesOf([{ suite: null, offset: around(90, 4) }], null, null),
    'latency',
  );
  expect([offset?.earlier?.center, offset?.later?.center]).toEqual([140, 150]);
});

test('a crossover that neither sweep has is left out, one that only one has is not', () => {
  const arm = { suite: null, offset: around(100, 4) };
  const termsOf = (bytes: number | null) =>
    lineChanges(sizesOf([arm], bytes, null), sizesOf([arm], null, null), 'latency').map(({ term }) => term);
  expect(termsOf(null)).not.toContain('crossover');
  expect(termsOf(1000)).toContain('crossover');
});

test('a rate that cannot be distinguished from unlimited and a crossover without an interval have no change', () => {
  const changes = lineChanges(
    sizesOf([{ suite: null, offset: around(100, 4), rate: null }], 30_000, null),
    sizesOf([{ suite: null, offset: around(100, 4) }], 30_000, { lo: 1, hi: 2 }),
    'latency',
  );
  expect(changes.map(({ term, change }) => [term, change === null])).toEqual([
    ['offset', false],
    ['rate', true],
    ['crossover', true],
  ]);
});
