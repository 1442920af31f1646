/** Protects the line of a sweep over sizes: its figures by exact arithmetic, and what is known of them by simulation. */
import { describe, expect, test } from 'vitest';
import type { SizeForm } from '../../../shared/kinds/sizes/size-line.ts';
import { simulateSizes } from '../../testing/simulated-sizes.ts';
import { fitSizeLine } from './fit-size-line.ts';
import type { SizeTable } from './size-table.ts';

/**
 * Reference values: normal equations solved with Python's `fractions` (no rounding before the last step), each
 * leave-one-round-out fit and each round's own fit likewise; t(0.975, 3) = 3.182446305284263; P(F > f) by the finite
 * binomial sum Σ C(11, j) xʲ(1 − x)¹¹⁻ʲ, j = 9…11, x = 18/(18 + 6f).
 */
const table: SizeTable = {
  sizes: [1000, 5000, 10_000, 17_000, 20_000, 40_000, 60_000, 80_000],
  us: [
    [110, 150, 203, 290, 330, 530, 771, 1010],
    [104, 148, 197, 281, 318, 522, 748, 986],
    [115, 158, 212, 300, 341, 551, 790, 1033],
    [107, 145, 204, 283, 322, 519, 757, 1001],
  ],
  weights: [10, 10, 20, 10].map((weight) => Array<number>(8).fill(weight)),
};

describe('by exact arithmetic', () => {
  test('the straight line', () => {
    const line = lineOf(table, 'straight');
    expectEstimate(line.offsetUs, 97.54311637720757, 9.472211804759407);
    expectEstimate(line.usPerByte, 0.011239579660513017, 0.0005077744541214711);
    expect(line.recordUs).toBeNull();
    expect(line.bytesPerMs?.center).toBeCloseTo(1000 / 0.011239579660513017, 6);
    expect(line.bytesPerMs?.hi).toBeCloseTo(1000 / (0.011239579660513017 - 0.0005077744541214711), 5);
    expect(line.rSquared).toBeCloseTo(0.9991127077262205, 12);
    expect(line.aicc).toBeCloseTo(-53.50775315606944, 9);
    expect(line.lackOfFit?.f).toBeCloseTo(19.035131971468985, 8);
    expect(line.lackOfFit?.degrees).toEqual([6, 18]);
    expect(line.lackOfFit?.pValue).toBeCloseTo(6.807091408931975e-7, 15);
    const percents = line.residuals.map(({ percent }) => Number(percent.toFixed(9)));
    expect(percents).toEqual([
      ...[1.286119748, -1.278665797, -2.110366237, 0.751041745],
      ...[2.441068527, -2.343116872, -0.093088175, 1.569278173],
    ]);
    expect(line.residuals[3]?.errorPercent).toBeCloseTo(0.1310237159763805, 10);
  });

  test('the line with records', () => {
    const line = lineOf(table, 'records');
    expectEstimate(line.offsetUs, 86.70482445704882, 7.630498294033568);
    expectEstimate(line.usPerByte, 0.010581716656239843, 0.00040033879672723283);
    expectEstimate(line.recordUs, 12.781642364686537, 5.054008447972948);
    expect(line.rSquared).toBeCloseTo(0.9994720109770596, 12);
    expect(line.aicc).toBeCloseTo(-48.32721136382377, 9);
    expect(line.lackOfFit?.f).toBeCloseTo(13.767999901660287, 8);
    expect(line.lackOfFit?.degrees).toEqual([5, 15]);
    expect(line.residuals[5]?.percent).toBeCloseTo(-2.566108829, 8);
    expect(line.residuals[5]?.errorPercent).toBeCloseTo(0.3271767198282248, 10);
  });
});

const plain = { offsetUs: 90, usPerByte: 0.004, recordUs: null };
const secure = { offsetUs: 120, usPerByte: 0.005, recordUs: 25 };

describe('a truth that is known', () => {
  test('is found exactly in exact data, which no line is refused for', () => {
    const exact = simulateSizes({ seed: 1, plain, secure });
    const [straight, records] = [lineOf(exact.plain, 'straight'), lineOf(exact.secure, 'records')];
    expect(straight.offsetUs.center).toBeCloseTo(90, 8);
    expect(straight.usPerByte.center).toBeCloseTo(0.004, 12);
    expect(straight.bytesPerMs?.center).toBeCloseTo(250_000, 4);
    expect(records.offsetUs.center).toBeCloseTo(120, 8);
    expect(records.recordUs?.center).toBeCloseTo(25, 8);
    expect(records.rSquared).toBeCloseTo(1, 12);
    expect([straight.refusals, records.refusals]).toEqual([[], []]);
    expect(straight.lackOfFit).toBeNull();
  });

  test.each([
    [5, 0.03],
    [12, 0.1],
  ])('is in 90 to 99 of 100 intervals over %i rounds that drift by %d', (rounds, ofRound) => {
    const runs = 200;
    const held = { offsetUs: 0, bytesPerMs: 0, recordUs: 0 };
    for (let seed = 0; seed < runs; seed++) {
      const { secure: noisy } = simulateSizes({ seed, plain, secure, rounds, ofRound, ofPoint: 0.03 });
      const line = lineOf(noisy, 'records');
      if (holds(line.offsetUs, 120)) held.offsetUs++;
      if (holds(line.bytesPerMs, 200_000)) held.bytesPerMs++;
      if (holds(line.recordUs, 25)) held.recordUs++;
    }
    for (const count of Object.values(held)) {
      expect(count).toBeGreaterThanOrEqual(0.9 * runs);
      expect(count).toBeLessThanOrEqual(0.99 * runs);
    }
  });

  test('is refused in about 5 % of the sweeps, drift or not; its F test fails as often', () => {
    const runs = 200;
    let refused = 0;
    let failed = 0;
    for (let seed = 0; seed < runs; seed++) {
      const { plain: noisy } = simulateSizes({ seed, plain, secure, ofRound: 0.05, ofPoint: 0.02 });
      const line = lineOf(noisy, 'straight');
      if (line.refusals.length > 0) refused++;
      if ((line.lackOfFit?.pValue ?? 1) < 0.05) failed++;
    }
    expect(refused).toBeLessThanOrEqual(0.1 * runs);
    expect(failed).toBeGreaterThanOrEqual(0.01 * runs);
    expect(failed).toBeLessThanOrEqual(0.1 * runs);
  });
});

describe('what cannot be fitted', () => {
  test('two rounds, and records that are one everywhere, have no line', () => {
    const { secure: short } = simulateSizes({ seed: 1, plain, secure, rounds: 2 });
    expect(fitSizeLine(short, 'straight')).toBeNull();
    const { secure: small } = simulateSizes({ seed: 1, plain, secure, sizes: [1000, 5000, 9000, 16_384] });
    expect(fitSizeLine(small, 'records')).toBeNull();
    expect(fitSizeLine(small, 'straight')).not.toBeNull();
  });

  test('a rate that may be any has none', () => {
    const flat = { offsetUs: 100, usPerByte: 0, recordUs: null };
    const { plain: noisy } = simulateSizes({ seed: 4, plain: flat, secure, ofPoint: 0.02 });
    expect(lineOf(noisy, 'straight').bytesPerMs).toBeNull();
  });
});

function lineOf(of: SizeTable, form: SizeForm) {
  const line = fitSizeLine(of, form);
  if (line === null) throw new Error('no line');
  return line;
}

type Interval = { center: number; lo: number; hi: number } | null;

function expectEstimate(estimate: Interval, center: number, reach: number): void {
  expect(estimate?.center).toBeCloseTo(center, 9);
  expect(estimate?.lo).toBeCloseTo(center - reach, 8);
  expect(estimate?.hi).toBeCloseTo(center + reach, 8);
}

function holds(estimate: Interval, truth: number): boolean {
  return estimate !== null && estimate.lo <= truth && truth <= estimate.hi;
}
