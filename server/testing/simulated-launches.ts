import type { Unit } from '../method/statistics/pool-runs.ts';
import { drawsOf } from '../method/statistics/random.ts';
import { drawNormal } from './draws.ts';

/** Runs with a known truth, to test the statistics: the logarithm of each sample of each launch. */
export type Simulation = {
  seed: number;
  launches: number;
  samples: number;
  /** Standard deviations on the logarithm: 0.01 is 1 %. */
  ofLaunch: number;
  ofSample: number;
  noise?: NoiseShape;
  /** Correlation of a sample with the previous one. */
  alike?: number;
  /** Logarithm of comparison ÷ baseline. */
  effect?: number;
};

/** `contaminated`: one in ten has five times the noise. All have the same standard deviation. */
type NoiseShape = 'normal' | 'heavy-tailed' | 'contaminated';
export const noiseShapes: readonly NoiseShape[] = ['normal', 'heavy-tailed', 'contaminated'];

export function simulateLaunches(simulation: Simulation): Unit[] {
  const { seed, launches, samples, ofLaunch, ofSample, noise = 'normal', alike = 0, effect = 0 } = simulation;
  const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
  return Array.from({ length: launches }, (_, launch) => {
    const own = effect + ofLaunch * drawNormal(draw);
    let before = shapes[noise](draw);
    return Array.from({ length: samples }, (__, sample) => {
      if (sample > 0) before = alike * before + Math.sqrt(1 - alike ** 2) * shapes[noise](draw);
      return { launch, value: own + ofSample * before };
    });
  }).flat();
}

/** With a standard deviation of 1. */
const shapes: Record<NoiseShape, (draw: () => number) => number> = {
  normal: drawNormal,
  'heavy-tailed': (draw) => {
    const chiSquared = drawNormal(draw) ** 2 + drawNormal(draw) ** 2 + drawNormal(draw) ** 2;
    return drawNormal(draw) / Math.sqrt(chiSquared);
  },
  contaminated: (draw) => ((draw() < 0.1 ? 5 : 1) * drawNormal(draw)) / Math.sqrt(0.9 + 0.1 * 25),
};
