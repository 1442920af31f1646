import { drawsOf } from '../method/statistics/random.ts';
import { drawNormal } from './draws.ts';

/** Runs whose truth is known, to try the statistics on: the logarithm that each epoch of each launch gives. */
export type Simulation = {
  seed: number;
  launches: number;
  epochs: number;
  /** Standard deviations on the logarithm: 0.01 is 1 %. */
  ofLaunch: number;
  ofEpoch: number;
  noise?: NoiseShape;
  /** Logarithm of comparison ÷ baseline. */
  effect?: number;
  /** Shifts the n-th epoch of the run, whatever it measures. */
  disturbance?: (epoch: number) => number;
};

/** `contaminated`: one in ten has five times the noise. All have the same standard deviation. */
type NoiseShape = 'normal' | 'heavy-tailed' | 'contaminated';
export const noiseShapes: readonly NoiseShape[] = ['normal', 'heavy-tailed', 'contaminated'];

export function simulateLaunches(simulation: Simulation): { launch: number; value: number }[] {
  const { seed, launches, epochs, ofLaunch, ofEpoch, noise = 'normal' } = simulation;
  const { effect = 0, disturbance = () => 0 } = simulation;
  const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
  return Array.from({ length: launches }, (_, launch) => {
    const own = effect + ofLaunch * drawNormal(draw);
    return Array.from({ length: epochs }, (_, epoch) => ({
      launch,
      value: own + ofEpoch * shapes[noise](draw) + disturbance(launch * epochs + epoch),
    }));
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
