/** Protects the twin of a sweep over sizes: listeners that differ are measured as differing, and refuse the verdict. */
import { expect, test } from 'vitest';
import { sampleSizes } from '../../../testing/sample-sizes.ts';
import type { RoundSamples } from './pool-samples.ts';
import { twinRatios } from './twin-ratios.ts';

const round = (...visits: { size: number; twinUs: number; twinCpuUs?: number | null }[]): RoundSamples => ({
  lone: visits.map(({ size, twinUs }) => ({
    ...{ size, suite: 0 },
    arms: { baseline: { timesUs: [100] }, comparison: { timesUs: [900] }, twin: { timesUs: [twinUs] } },
  })),
  atLoad: visits.map(({ size, twinUs, twinCpuUs = twinUs / 2 }) => ({
    ...{ size, suite: 0 },
    arms: { baseline: burst(50), comparison: burst(450), twin: burst(twinCpuUs) },
  })),
});

const burst = (cpuUs: number | null) => ({ transactions: 1, cpuUs, elapsedUs: 1000 });

test('it is the geometric mean over the sizes, of the two http listeners only', () => {
  const { latency, cpu } = twinRatios(
    round({ size: 1000, twinUs: 200 }, { size: 2000, twinUs: 50, twinCpuUs: 25 }),
  );
  expect(latency).toBeCloseTo(1, 10);
  expect(cpu).toBeCloseTo(1, 10);
  expect(twinRatios(round({ size: 1000, twinUs: 110 })).latency).toBeCloseTo(1.1, 10);
});

test('CPU that cannot be read has no ratio', () => {
  expect(twinRatios(round({ size: 1000, twinUs: 110, twinCpuUs: null }))).toMatchObject({ cpu: null });
  expect(twinRatios(round())).toEqual({ latency: null, cpu: null });
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
