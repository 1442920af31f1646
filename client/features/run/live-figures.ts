import { type BySide, bySide } from '../../../shared/base/transport.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import type { RunEvent, SideError } from '../../../shared/kinds/comparison/progress.ts';
import type { ShownBlock } from '../../../shared/kinds/comparison/run.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { median, printPercent } from '../../format/factor-words.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type OwnEvent = BlockEvent | Extract<RunEvent, { type: 'errors' }>;

export type LiveFigures = {
  blocks: readonly LiveBlock[];
  /** The headline's interval, from all blocks so far. */
  interval: BlockEvent['interval'];
  windows: WindowCount;
  /** Launches that have a block. */
  launches: number;
  errors: readonly SideError[];
};

/** The interval is from all blocks up to this one. */
export type LiveBlock = Pick<BlockEvent, 'index' | 'reasons' | 'values' | 'ratios' | 'interval'>;

export const noFigures: LiveFigures = {
  blocks: [],
  interval: null,
  windows: { measured: 0, aside: 0 },
  launches: 0,
  errors: [],
};

export function followBlocks(figures: LiveFigures, event: OwnEvent): LiveFigures {
  if (event.type === 'errors') return { ...figures, errors: event.groups };
  const { index, reasons, values, ratios, interval, windows, launch } = event;
  return {
    ...figures,
    interval,
    windows: addWindows([figures.windows, windows]),
    launches: Math.max(figures.launches, launch + 1),
    blocks: [...figures.blocks, { index, reasons, values, ratios, interval }],
  };
}

/** Null until a block has the metric. */
export function mediansOf(
  blocks: readonly Pick<LiveBlock, 'values'>[],
  metric: MetricId,
): BySide<number> | null {
  const known = blocks.flatMap(({ values }) => values[metric] ?? []);
  return known.length === 0 ? null : bySide((side) => median(known.map((each) => each[side])));
}

/** As many as there can be; 0 before the first event. */
export function plannedBlocks(plan: Plan, counts: ProgressEvent['counts']): number {
  const planned = (what: string) => counts.find(({ of }) => of === what)?.planned ?? 0;
  const kinds = plan.openMs !== null ? 3 : 2;
  return planned('launch') * planned('epoch') * kinds;
}

export type WindowCount = { measured: number; aside: number };

export function countWindows(blocks: readonly Pick<ShownBlock, 'windows'>[]): WindowCount {
  return addWindows(
    blocks.map(({ windows }) => ({
      measured: windows.length,
      aside: windows.filter(({ aside }) => aside).length,
    })),
  );
}

function addWindows(counts: readonly WindowCount[]): WindowCount {
  return {
    measured: counts.reduce((sum, { measured }) => sum + measured, 0),
    aside: counts.reduce((sum, { aside }) => sum + aside, 0),
  };
}

/** `6.3 % of windows set aside`; null when there were no windows to set aside. */
export function asideInWords({ measured, aside }: WindowCount): string | null {
  if (measured === 0) return null;
  return aside === 0 ? 'no window set aside' : `${printPercent(aside / measured, 2)} of windows set aside`;
}
