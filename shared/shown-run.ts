import type { Block, Window } from './block.ts';
import type { RunDocument } from './run.ts';
import type { Slot } from './slot.ts';

/** What the page shows of a run. Histograms and the figures of single slots and windows, most of a document, are left out. */
export type ShownRun = Omit<RunDocument, 'blocks'> & { blocks: ShownBlock[] };
type ShownBlock = Omit<Block, 'slots' | 'windows'> & { slots: ShownSlot[]; windows: Omit<Window, 'arms'>[] };
type ShownSlot = Pick<Slot, 'arm' | 'transport' | 'point' | 'startedAtMs' | 'curve'> & {
  load: Pick<Slot['load'], 'elapsedUs' | 'negotiated' | 'lifetime'>;
};

export function shownRunOf(run: RunDocument): ShownRun {
  return { ...run, blocks: run.blocks.map(shownBlock) };
}

function shownBlock(block: Block): ShownBlock {
  return {
    ...block,
    slots: block.slots.map(shownSlot),
    windows: block.windows.map(({ arms: _, ...window }) => window),
  };
}

function shownSlot({ arm, transport, point, startedAtMs, curve, load }: Slot): ShownSlot {
  const { elapsedUs, negotiated, lifetime } = load;
  return { arm, transport, point, startedAtMs, curve, load: { elapsedUs, negotiated, lifetime } };
}
