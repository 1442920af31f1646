/** Protects the twin of a size sweep: listeners that differ are measured as differing, and refuse the verdict. */
import { expect, test } from 'vitest';
import { sampleSizes } from '../../../testing/sample-sizes.ts';
import type { SizeSample } from './pool-samples.ts';
import { twinRatios } from './twin-ratios.ts';

const arm = (us: number, cpuUs: number | null = us / 2) => ({ timesUs: [us], transactions: 1, cpuUs });

const sample = (size: number, twin: ReturnType<typeof arm>): SizeSample => ({
  ...{ size, suite: 0, busyUs: null },
  arms: { baseline: arm(100), comparison: arm(900), twin },
});

test('it is the geometric mean over the sizes, of the two http listeners only', () => {
  const { latency, cpu } = twinRatios([sample(1000, arm(200)), sample(2000, arm(50))]);
  expect(latency).toBeCloseTo(1, 10);
  expect(cpu).toBeCloseTo(1, 10);
  expect(twinRatios([sample(1000, arm(110))]).latency).toBeCloseTo(1.1, 10);
});

test('CPU that cannot be read has no ratio', () => {
  expect(twinRatios([sample(1000, arm(110, null))])).toMatchObject({ cpu: null });
  expect(twinRatios([])).toEqual({ latency: null, cpu: null });
});

test('a twin that is 4 % slower in every round refuses the verdict, one that is 0.4 % slower does not', () => {
  const withTwin = (latency: number) =>
    sampleSizes({
      change: (rounds) =>
        rounds.map((round, index) => ({
          ...round,
          twin: { latency: latency * (1 + 0.001 * (index % 2)), cpu: null },
        })),
    });
  const unlike = withTwin(1.04);
  expect(unlike.comparisons[0]?.verdict.outcome).toBe('refused');
  expect(unlike.comparisons[0]?.verdict.sentence).toContain('Two identical listeners differ by 4.1 %');
  expect(unlike.twinRatios.cpu).toBeNull();
  expect(withTwin(1.004).comparisons[0]?.verdict.outcome).toBe('overhead');
});
