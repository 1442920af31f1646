import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { seedRandom, shuffle } from './random.ts';

/** What is measured when: `order` holds a letter a slot, A baseline, B comparison, N twin. */
type BlockOrder = { index: number; kind: OperatingPoint; order: string };

const points: readonly OperatingPoint[] = ['steady', 'maximum'];
const letters = ['A', 'B', 'N'];

/**
 * The blocks of a run. They come in pairs of one steady and one maximum block, which of them first is drawn, so a run
 * that ends early has as many of one as of the other. Each block visits the arms in a drawn order and then in its
 * mirror: a linear drift cancels within the block, and a disturbance with a period cannot keep step with it.
 */
export function planBlocks(seed: number, blocksPerPoint: number): BlockOrder[] {
  const blocks: BlockOrder[] = [];
  let random = seedRandom(seed);
  for (let pair = 0; pair < blocksPerPoint; pair++) {
    const kinds = shuffle(points, random);
    random = kinds.next;
    for (const kind of kinds.value) {
      const arms = shuffle(letters, random);
      random = arms.next;
      blocks.push({
        index: blocks.length,
        kind,
        order: [...arms.value, ...arms.value.toReversed()].join(''),
      });
    }
  }
  return blocks;
}
