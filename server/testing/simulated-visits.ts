import type { ServersCell, ServersVisit, VisitArm } from '../../shared/kinds/servers/servers-result.ts';
import { drawsOf } from '../method/statistics/random.ts';
import { drawNormal } from './draws.ts';

/** Values that an arm of a cell would have without noise. */
export type Truth = (cell: ServersCell, side: 'http' | 'https') => { perS: number; cpuUs: number };

export type VisitNoise = {
  /** Standard deviation of each value, relative. */
  noise?: number;
  /** The same of all values of a round together, as when the machine is slow for a while. */
  ofRound?: number;
  rounds?: number;
  seed?: number;
};

/** Every cell in every round, from a seed. */
export function simulateVisits(
  cells: readonly ServersCell[],
  truth: Truth,
  { noise = 0, ofRound = 0, rounds = 6, seed = 11 }: VisitNoise = {},
): ServersVisit[] {
  const draw = drawsOf(seed);
  const wobble = (deviation: number) => Math.exp(deviation * drawNormal(draw));
  return Array.from({ length: rounds }, (_, round) => {
    const slow = wobble(ofRound);
    return cells.map((cell): ServersVisit => {
      const arm = (side: 'http' | 'https'): VisitArm => {
        const { perS, cpuUs } = truth(cell, side);
        return {
          perS: perS * slow * wobble(noise),
          cpuUs: (cpuUs / slow) * wobble(noise),
          generatorCpuUs: 0.5 * cpuUs,
          medianUs: 1e6 / perS,
          ...{ requests: 100, errors: 0, ab: null },
        };
      };
      return {
        ...{ round, cell: cell.index, failure: null, machine: null },
        arms: { baseline: arm('http'), comparison: arm('https'), twin: arm('http') },
      };
    });
  }).flat();
}
