import { type Arms, namesOf, writeOrder } from '../../../shared/base/arms.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { seedRandom, shuffle } from './random.ts';

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
  let random = seedRandom(seed);
  for (let pair = 0; pair < blocksPerPoint; pair++) {
    const kinds = shuffle(points, random);
    random = kinds.next;
    for (const kind of kinds.value) {
      const drawn = shuffle(namesOf(arms), random);
      random = drawn.next;
      blocks.push({
        index: blocks.length,
        kind,
        order: writeOrder(arms, [...drawn.value, ...drawn.value.toReversed()]),
      });
    }
  }
  return blocks;
}
