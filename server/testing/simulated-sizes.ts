import { studySizes } from '../../shared/kinds/sizes/options.ts';
import { type LineTerms, timeAt } from '../../shared/kinds/sizes/sizes.ts';
import { drawsOf } from '../method/statistics/random.ts';
import type { SizeTable } from '../method/statistics/size-lines.ts';
import { drawNormal } from './draws.ts';

/** A sweep over sizes whose truth is known: arms that are measured in the same rounds. */
export type SizeSimulation = {
  seed: number;
  rounds?: number;
  sizes?: readonly number[];
  /** Standard deviations, relative: of a round, which slows all arms alike, and of a single point. */
  ofRound?: number;
  ofPoint?: number;
};

export function simulateArms(simulation: SizeSimulation, arms: readonly LineTerms[]): SizeTable[] {
  const { seed, rounds = 12, sizes = studySizes, ofRound = 0, ofPoint = 0 } = simulation;
  const draw = drawsOf(Math.imul(seed + 1, 0x9e3779b1));
  const factors = Array.from({ length: rounds }, () => Math.exp(ofRound * drawNormal(draw)));
  return arms.map((terms) => ({
    sizes,
    us: factors.map((factor) =>
      sizes.map((size) => factor * timeAt(terms, size) * Math.exp(ofPoint * drawNormal(draw))),
    ),
    weights: null,
  }));
}

export function simulateSizes({
  plain,
  secure,
  ...simulation
}: SizeSimulation & { plain: LineTerms; secure: LineTerms }): { plain: SizeTable; secure: SizeTable } {
  const [first, second] = simulateArms(simulation, [plain, secure]);
  if (first === undefined || second === undefined) throw new Error('two arms make two tables');
  return { plain: first, secure: second };
}
