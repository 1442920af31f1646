/** Protects verdicts on simulated runs: few false alarms, and real differences found. */
import { describe, expect, test } from 'vitest';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { noiseShapes, type Simulation, simulateLaunches } from '../../testing/simulated-launches.ts';
import { decideOutcomes } from './decide-outcomes.ts';
import { launchInterval } from './launch-interval.ts';

/** The whole of the statistics, tried on runs whose truth is known. Seeded: every figure is the same each time. */

const runs = 1000;
const between = { ofLaunch: 0.01, ofEpoch: 0.02 };

describe('the interval over launches that are 1 % apart covers the truth', () => {
  describe.each(noiseShapes)('under %s noise', (noise) => {
    test.each([3, 4, 6, 8])('in 93.5 to 97 %% of the runs of %i launches', (launches) => {
      const covered = shareOfRuns((seed) => {
        const units = simulateLaunches({
          ...between,
          seed: seed + 10_007 * launches,
          launches,
          epochs: 3,
          noise,
        });
        return covers(launchInterval(units, 0.95), 0);
      });
      expect(covered).toBeGreaterThanOrEqual(0.935);
      expect(covered).toBeLessThanOrEqual(0.97);
    });
  });

  test('which one over all epochs, as if none were of the same launch, does in fewer than 85 %', () => {
    const covered = shareOfRuns((seed) => {
      const units = simulateLaunches({ ...between, ofEpoch: 0.005, seed, launches: 3, epochs: 4 });
      return covers(
        launchInterval(
          units.map(({ value }) => ({ launch: 0, value })),
          0.95,
        ),
        0,
      );
    });
    expect(covered).toBeLessThan(0.85);
  });
});

/** Three standard errors of a share of 5 %: what chance may add to it. */
const chance = 3 * Math.sqrt((0.05 * 0.95) / runs);

describe('without any difference', () => {
  test.each([3, 6])(
    '%i launches let one of the primary metrics say overhead in 5 %% of the runs',
    (launches) => {
      for (const noise of noiseShapes) {
        const families = outcomesOf({ ...between, launches, epochs: 2, noise });
        expect(
          share(families, (family) => family.includes('overhead')),
          noise,
        ).toBeLessThanOrEqual(0.05 + chance);
      }
    },
  );
  test('six launches say no overhead above 5 % of CPU in 95 % of the runs', () => {
    const families = outcomesOf({ ...between, launches: 6, epochs: 2 });
    expect(share(families, ([cpu]) => cpu === 'no_overhead')).toBeGreaterThanOrEqual(0.95 - chance);
  });
});

describe('a true overhead', () => {
  test('of 14 % is found by three launches in 99 % of the runs', () => {
    const families = outcomesOf({ ...between, launches: 3, epochs: 2, effect: Math.log(1.14) });
    expect(share(families, ([cpu]) => cpu === 'overhead')).toBeGreaterThanOrEqual(0.99);
  });
  test('of the tolerance is called none in 5 % of the runs', () => {
    for (const launches of [3, 6, 12]) {
      const families = outcomesOf({ ...between, launches, epochs: 2, effect: Math.log(1.05) });
      expect(share(families, ([cpu]) => cpu === 'no_overhead')).toBeLessThanOrEqual(0.05 + chance);
    }
  });
});

const primaries = ['cpu_at_load', 'throughput', 'latency_p50'] as const;

/** The words for the three primary metrics of each run, their noise independent. */
function outcomesOf(simulation: Omit<Simulation, 'seed'>): string[][] {
  return Array.from({ length: runs }, (_, run) => {
    const evidence = primaries.map((id, index) => {
      const units = simulateLaunches({ ...simulation, seed: run * 31 + index * 7919 + simulation.launches });
      const [interval, narrow] = [launchInterval(units, 0.95), launchInterval(units, 0.9)];
      const { pValue = 1 } = interval ?? {};
      const [shift, narrowShift] = [changeOf(interval), changeOf(narrow)];
      return { metric: metricOf(id), shift, narrowShift, tolerance: 0.05, pValue, refusals: [] };
    });
    return decideOutcomes(evidence).map(({ outcome }) => outcome);
  });
}

type Interval = { center: number; lo: number; hi: number } | null;

function changeOf(logs: Interval): Interval {
  if (logs === null) return null;
  return { center: Math.expm1(logs.center), lo: Math.expm1(logs.lo), hi: Math.expm1(logs.hi) };
}

function covers(interval: Interval, truth: number): boolean {
  return interval !== null && interval.lo <= truth && truth <= interval.hi;
}

function shareOfRuns(is: (seed: number) => boolean): number {
  return share(
    Array.from({ length: runs }, (_, seed) => seed),
    is,
  );
}

function share<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / items.length;
}
