import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/progress.ts';
import type { SideError } from '../../../../shared/kinds/comparison/side-error.ts';
import type { ProgressEvent } from '../../../../shared/measurement/measurement.ts';
import { addWindows, type WindowCount } from '../windows.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type OwnEvent = BlockEvent | Extract<RunEvent, { type: 'errors' }>;

export type LiveFigures = {
  blocks: readonly LiveBlock[];
  medians: BlockEvent['medians'];
  /** The latest of each metric. */
  intervals: BlockEvent['intervals'];
  windows: WindowCount;
  /** Launches that have a block. */
  launches: number;
  errors: readonly SideError[];
};

/** Its intervals are of all blocks up to it. */
export type LiveBlock = Pick<BlockEvent, 'index' | 'dropped' | 'ratios' | 'intervals'>;

export const noFigures: LiveFigures = {
  blocks: [],
  medians: {},
  intervals: {},
  windows: { measured: 0, aside: 0 },
  launches: 0,
  errors: [],
};

export function followBlocks(figures: LiveFigures, event: OwnEvent): LiveFigures {
  if (event.type === 'errors') return { ...figures, errors: event.groups };
  const { index, dropped, ratios, medians, intervals, windows, launch } = event;
  return {
    ...figures,
    medians,
    intervals: { ...figures.intervals, ...intervals },
    windows: addWindows([figures.windows, windows]),
    launches: Math.max(figures.launches, launch + 1),
    blocks: [...figures.blocks, { index, dropped, ratios, intervals }],
  };
}

/** As many as there can be; 0 before the first event. */
export function plannedBlocks(plan: Plan, counts: ProgressEvent['counts']): number {
  const planned = (what: string) => counts.find(({ of }) => of === what)?.planned ?? 0;
  const kinds = plan.openMs !== null ? 3 : 2;
  return planned('launch') * planned('epoch') * kinds;
}
