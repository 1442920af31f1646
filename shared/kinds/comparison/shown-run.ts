import { z } from 'zod';
import { shownFrame } from '../../measurement/measurement.ts';
import { blockSchema, windowSchema } from './block.ts';
import { type RunDocument, runDocumentSchema } from './run.ts';
import { loadResultSchema, slotSchema } from './slot.ts';

/** What the page shows of a run. Histograms and the figures of single slots and windows, most of a document, are left out. */

const shownSlotSchema = slotSchema
  .pick({ arm: true, transport: true, point: true, startedAtMs: true, curve: true })
  .extend({
    load: loadResultSchema.pick({
      elapsedUs: true,
      generatorBusiestUs: true,
      negotiated: true,
      lifetime: true,
    }),
  });
export type ShownSlot = z.infer<typeof shownSlotSchema>;

const shownWindowSchema = windowSchema.omit({ arms: true });
export type ShownWindow = z.infer<typeof shownWindowSchema>;

const shownBlockSchema = blockSchema.extend({
  slots: z.array(shownSlotSchema),
  windows: z.array(shownWindowSchema),
});
export type ShownBlock = z.infer<typeof shownBlockSchema>;

export const shownRunSchema = runDocumentSchema.extend({ ...shownFrame, blocks: z.array(shownBlockSchema) });
export type ShownRun = z.infer<typeof shownRunSchema>;

export function shownRunOf(run: RunDocument): ShownRun {
  return { ...run, blocks: run.blocks.map(shownBlock) };
}

function shownBlock(block: RunDocument['blocks'][number]): ShownBlock {
  return {
    ...block,
    slots: block.slots.map(({ arm, transport, point, startedAtMs, curve, load }) => {
      const { elapsedUs, generatorBusiestUs, negotiated, lifetime } = load;
      return {
        ...{ arm, transport, point, startedAtMs, curve },
        load: { elapsedUs, generatorBusiestUs, negotiated, lifetime },
      };
    }),
    windows: block.windows.map(({ arms: _, ...window }) => window),
  };
}
