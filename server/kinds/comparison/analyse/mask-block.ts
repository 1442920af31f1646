import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Mask } from '../../../intake/traffic/mask-secrets.ts';

/** A block whose sentences hold no secret. Its figures are left alone: a histogram is text as well, and holds any letters. */
export function maskBlock(block: Block, mask: Mask): Block {
  return {
    ...block,
    reasons: mask(block.reasons),
    slots: block.slots.map((slot) => ({
      ...slot,
      load: { ...slot.load, errors: mask(slot.load.errors) },
    })),
  };
}
