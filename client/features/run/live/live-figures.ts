import type { MetricId } from '../../../../shared/metric.ts';
import type { ErrorGroup } from '../../../../shared/outcome.ts';
import type { RunEvent } from '../../../../shared/progress.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type OwnEvent = BlockEvent | Extract<RunEvent, { type: 'errors' }>;

/** What the blocks of a run have shown so far. */
export type LiveFigures = {
  blocks: readonly LiveBlock[];
  medians: BlockEvent['medians'];
  errors: readonly ErrorGroup[];
};

export type LiveBlock = {
  index: number;
  dropped: readonly string[];
  ratios: Partial<Record<MetricId, number>>;
};

export const noFigures: LiveFigures = { blocks: [], medians: {}, errors: [] };

export function followBlocks(figures: LiveFigures, event: OwnEvent): LiveFigures {
  if (event.type === 'errors') return { ...figures, errors: event.groups };
  const { index, dropped, ratios, medians } = event;
  return { ...figures, medians, blocks: [...figures.blocks, { index, dropped, ratios }] };
}
