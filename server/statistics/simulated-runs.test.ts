/** Protects the whole of the statistics, on seeded runs whose truth is known. */
import { describe, expect, test } from 'vitest';
import { metricOf } from '../../shared/metric.ts';
import { type Look, shouldStop } from '../kinds/comparison/plan/stopping-rule.ts';
import { noiseShapes, type Simulation, simulateBlocks } from '../testing/simulated-blocks.ts';
import { comparePaired } from './compare-paired.ts';
import { decideOutcomes } from './decide-outcomes.ts';
import { noiseFloor } from './noise-floor.ts';

const runs = 500;

describe('the interval of a run that stops on width covers the truth', () => {
  const truth = 1.2;
  describe.each(noiseShapes)('under %s noise', (noise) => {
    test.each([8, 12, 20, 40])('in 93 %% of the runs or more, of at most %i blocks', (most) => {
      // So that the target of ±3 % is in reach of some runs only.
      const deviation = 0.0116 * Math.sqrt(most);
      let covered = 0;
      for (let run = 0; run < runs; run++) {
        const { lo, hi } = intervalOfRun({
          seed: run + 10_007 * most,
          blocks: most,
          deviation,
          noise,
          effect: Math.log(truth),
        });
        if (lo <= truth && truth <= hi) covered++;
      }
      expect(covered / runs).toBeGreaterThanOrEqual(0.93);
      // Of eight blocks the nearest exact level is 97.7 %.
      expect(covered / runs).toBeLessThanOrEqual(most === 8 ? 0.99 : 0.985);
    });
  });
});

describe('without any difference', () => {
  const disturbances: Record<string, (slot: number) => number> = {
    nothing: () => 0,
    'a drift of 3 % a block': (slot) => 0.005 * slot,
    'a disturbance of period two': (slot) => (slot % 2 === 0 ? 0.1 : 0),
    'a disturbance of period five': (slot) => (slot % 5 < 2 ? 0.1 : 0),
    'a slow wave': (slot) => 0.1 * Math.sin(slot / 1.3),
  };
  test.each(Object.keys(disturbances))(
    'and with %s, no primary metric says overhead in 95 %% of the runs',
    (name) => {
      for (const blocks of [6, 7, 12]) {
        const disturbance = disturbances[name] ?? (() => 0);
        const words = outcomesOf({ blocks, deviation: 0.03, disturbance });
        expect(share(words, (family) => family.includes('overhead'))).toBeLessThanOrEqual(0.05);
      }
    },
  );

  test.each(['nothing', 'a drift of 3 % a block'])(
    'and with %s, CPU says no overhead in 94 %% of the runs',
    (name) => {
      for (const blocks of [6, 7, 12]) {
        const disturbance = disturbances[name] ?? (() => 0);
        const words = outcomesOf({ blocks, deviation: 0.03, disturbance });
        expect(share(words, ([cpu]) => cpu === 'no_overhead')).toBeGreaterThanOrEqual(0.94);
      }
    },
  );

  test.each(noiseShapes)('and under %s noise the same holds', (noise) => {
    const words = outcomesOf({ blocks: 7, deviation: 0.03, noise });
    expect(share(words, (family) => family.includes('overhead'))).toBeLessThanOrEqual(0.05);
    expect(share(words, ([cpu]) => cpu === 'no_overhead')).toBeGreaterThanOrEqual(0.94);
  });
});

describe('a true overhead is found', () => {
  test.each([6, 7])('of 20 %% in %i blocks of slots with 3 %% noise', (blocks) => {
    const words = outcomesOf({ blocks, deviation: 0.03, effect: Math.log(1.2) });
    expect(share(words, ([cpu]) => cpu === 'overhead')).toBeGreaterThanOrEqual(0.99);
  });
  test('of 3 % in twelve blocks of slots with 1 % noise, and never called none', () => {
    const words = outcomesOf({ blocks: 12, deviation: 0.01, effect: Math.log(1.03) });
    expect(share(words, ([cpu]) => cpu === 'overhead')).toBeGreaterThanOrEqual(0.99);
    expect(share(words, ([cpu]) => cpu === 'no_overhead')).toBe(0);
  });
});

/** The interval at the block at which the run would have stopped. */
function intervalOfRun(simulation: Simulation): { lo: number; hi: number } {
  const { comparison } = simulateBlocks(simulation);
  const looks: Look[] = [];
  for (let blocksPerPoint = 6; ; blocksPerPoint += 2) {
    const { ratio } = comparePaired(comparison.slice(0, blocksPerPoint), 'ratio');
    if (ratio === null) throw new Error('six blocks have an interval');
    looks.push({ blocksPerPoint, halfWidths: { cpu_per_transaction: (ratio.hi - ratio.lo) / 2 } });
    const plan = { blocksPerPoint: { minimum: 6, maximum: simulation.blocks } };
    if (blocksPerPoint >= simulation.blocks || shouldStop(looks, plan)) return ratio;
  }
}

const primaries = ['cpu_per_transaction', 'throughput', 'latency_p50'] as const;

/** The words for the three primary metrics of each run, their noise independent. */
function outcomesOf(simulation: Omit<Simulation, 'seed'>): string[][] {
  return Array.from({ length: runs / 2 }, (_, run) => {
    const evidence = primaries.map((id, index) => {
      const { comparison, twin } = simulateBlocks({
        ...simulation,
        seed: run * 31 + index * 7919 + simulation.blocks,
      });
      const floor = noiseFloor(comparePaired(twin, 'ratio'));
      return { metric: metricOf(id), comparison: comparePaired(comparison, 'ratio'), floor, refusals: [] };
    });
    return decideOutcomes(evidence).map(({ outcome }) => outcome);
  });
}

function share<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / items.length;
}
