import { planBlocks } from '../statistics/block-order.ts';
import type { Pair } from '../statistics/compare-paired.ts';
import { drawNumber, type Random, seedRandom } from '../statistics/random.ts';

/**
 * Measurements whose truth is known, to try the statistics on: blocks in the order of a real plan, slots with noise
 * of a known shape and size on the logarithm, and what disturbs them besides.
 */
export type Simulation = {
  seed: number;
  blocks: number;
  /** Standard deviation of a slot's logarithm: 0.03 is 3 %. */
  deviation: number;
  noise?: NoiseShape;
  /** Logarithm of comparison ÷ baseline. */
  effect?: number;
  /** What the logarithm of the run's n-th slot is shifted by, whatever its arm. */
  disturbance?: (slot: number) => number;
};

/** `contaminated`: one slot in ten has five times the noise. All have the same standard deviation. */
export type NoiseShape = 'normal' | 'heavy-tailed' | 'contaminated';
export const noiseShapes: readonly NoiseShape[] = ['normal', 'heavy-tailed', 'contaminated'];

export function simulateBlocks(simulation: Simulation): { comparison: Pair[]; twin: Pair[] } {
  const { seed, blocks, deviation, noise = 'normal', effect = 0, disturbance = () => 0 } = simulation;
  const draw = drawing(seed);
  const comparison: Pair[] = [];
  const twin: Pair[] = [];
  let slot = 0;
  for (const { kind, order } of planBlocks(seed, blocks)) {
    const values: Record<string, number[]> = { A: [], B: [], N: [] };
    for (const letter of order) {
      const shift = disturbance(slot++) + (letter === 'B' ? effect : 0);
      values[letter]?.push(Math.exp(shift + deviation * shapes[noise](draw)));
    }
    if (kind === 'maximum') continue;
    comparison.push({ a: values.A ?? [], b: values.B ?? [] });
    twin.push({ a: values.A ?? [], b: values.N ?? [] });
  }
  return { comparison, twin };
}

function drawing(seed: number): () => number {
  let random: Random = seedRandom(Math.imul(seed, 0x9e3779b1));
  return () => {
    const { value, next } = drawNumber(random);
    random = next;
    return value;
  };
}

/** With a standard deviation of 1. */
const shapes: Record<NoiseShape, (draw: () => number) => number> = {
  normal,
  'heavy-tailed': (draw) => {
    const chiSquared = normal(draw) ** 2 + normal(draw) ** 2 + normal(draw) ** 2;
    return normal(draw) / Math.sqrt(chiSquared);
  },
  contaminated: (draw) => ((draw() < 0.1 ? 5 : 1) * normal(draw)) / Math.sqrt(0.9 + 0.1 * 25),
};

/** Box and Muller. */
function normal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
