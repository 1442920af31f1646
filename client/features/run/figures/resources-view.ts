import { bySide, type SideName } from '../../../../shared/base/transport.ts';
import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { ShownRun, ShownSlot } from '../../../../shared/kinds/comparison/shown-run.ts';
import { median } from '../../../format/median.ts';

export type ResourcePoint = { seconds: number; cpuPercent: number; rssBytes: number };

/** What the two targets used over the slots of an operating point; a gap (NaN) between slots, as the other sides had their turn. */
export type ResourcesView = { point: OperatingPoint; baseline: SideUse; comparison: SideUse };
type SideUse = {
  points: ResourcePoint[];
  cpuPercent: number;
  rssBytes: number;
};

/** Slots of one arm alone are preferred. Null when no operating point has a curve on both sides. */
export function resourcesView({ blocks }: Pick<ShownRun, 'blocks'>): ResourcesView | null {
  const slots = blocks.flatMap((block) => block.slots).filter(({ curve }) => curve.length > 0);
  for (const point of ['steady', 'lockstep', 'maximum'] as const) {
    const of = (side: SideName) => sideUse(slots.filter((slot) => slot.point === point && slot.arm === side));
    const { baseline, comparison } = bySide(of);
    if (baseline !== null && comparison !== null) return { point, baseline, comparison };
  }
  return null;
}

function sideUse(slots: readonly ShownSlot[]): SideUse | null {
  if (slots.length === 0) return null;
  const inTime = slots.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const points = inTime.flatMap(({ startedAtMs, curve }) => [
    ...curve.map(({ atMs, cpuPercent, rssBytes }) => ({
      seconds: (startedAtMs + atMs) / 1000,
      cpuPercent,
      rssBytes,
    })),
    {
      seconds: (startedAtMs + (curve.at(-1)?.atMs ?? 0)) / 1000,
      cpuPercent: Number.NaN,
      rssBytes: Number.NaN,
    },
  ]);
  const seen = points.filter(({ cpuPercent }) => !Number.isNaN(cpuPercent));
  return {
    points,
    cpuPercent: median(seen.map(({ cpuPercent }) => cpuPercent)),
    rssBytes: median(seen.map(({ rssBytes }) => rssBytes)),
  };
}
