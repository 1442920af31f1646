import { type Arms, namesOf, writeOrder } from '../../../shared/base/arms.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { drawsOf, shuffle } from './random.ts';

/** The order of the slots: each letter stands for an arm. */
type BlockOrder = { index: number; kind: OperatingPoint; order: string };

const points: readonly OperatingPoint[] = ['steady', 'maximum'];

/**
 * The blocks of a run. They come in pairs of one steady and one maximum block, which of them first is drawn, so a run
 * that ends early has as many of one as of the other. Each block visits the arms in a drawn order and then in its
 * mirror: a linear drift cancels within the block, and a disturbance with a period cannot keep step with it.
 */
export function planBlocks(arms: Arms<string>, seed: number, blocksPerPoint: number): BlockOrder[] {
  const blocks: BlockOrder[] = [];
  const draw = drawsOf(seed);
  for (let pair = 0; pair < blocksPerPoint; pair++) {
    for (const kind of shuffle(points, draw)) {
      const drawn = shuffle(namesOf(arms), draw);
      blocks.push({
        index: blocks.length,
        kind,
        order: writeOrder(arms, [...drawn, ...drawn.toReversed()]),
      });
    }
  }
  return blocks;
}
