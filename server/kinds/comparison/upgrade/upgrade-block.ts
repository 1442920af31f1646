import { isRecord } from '../../../text/is-record.ts';
import { nameCostsOfBlock } from './name-costs.ts';
import { upgradeSlot } from './upgrade-slot.ts';

/** A stored block of any version as today's; `upgradeBlocks` where its neighbors are known. */
export function upgradeBlock(block: unknown): unknown {
  return nameCostsOfBlock(placeBlock(block, null));
}

/** Blocks of a document. Those from before launches are the first launch; their epochs count the blocks of their kind. */
export function upgradeBlocks(blocks: readonly unknown[]): unknown[] {
  const seen = new Map<unknown, number>();
  return blocks.map((block) => {
    const kind = isRecord(block) ? block.kind : undefined;
    const epoch = seen.get(kind) ?? 0;
    seen.set(kind, epoch + 1);
    return placeBlock(block, epoch);
  });
}

/** Without neighbors the epoch follows from the index: the first method measured both of its kinds in turn. */
function placeBlock(block: unknown, epoch: number | null): unknown {
  if (!isRecord(block) || !Array.isArray(block.slots)) return block;
  const upgraded = { ...block, slots: block.slots.map(upgradeSlot) };
  if ('launch' in block) return upgraded;
  return {
    ...upgraded,
    launch: 0,
    epoch: epoch ?? Math.floor(Number(block.index) / 2),
    windows: [],
    ratios: {},
    reasons: Array.isArray(block.reasons) ? block.reasons.map(spoilAll) : block.reasons,
  };
}

/** A reason of the first method took the whole block away. */
function spoilAll(reason: unknown): unknown {
  return isRecord(reason) ? { ...reason, spoils: 'all' } : reason;
}
