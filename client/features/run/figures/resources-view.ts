import type { RunDocument } from '../../../../shared/run.ts';
import type { Slot } from '../../../../shared/slot.ts';

export type ResourcePoint = { seconds: number; cpuPercent: number; rssBytes: number };

/** What the two targets used over the steady slots; a gap (NaN) between slots, as the other sides had their turn. */
export type ResourcesView = { baseline: SideUse; comparison: SideUse };
export type SideUse = {
  points: ResourcePoint[];
  cpuPercent: number;
  rssBytes: number;
};

export function resourcesView({ blocks }: Pick<RunDocument, 'blocks'>): ResourcesView | null {
  const slots = blocks
    .flatMap((block) => block.slots)
    .filter(({ point, curve }) => point === 'steady' && curve.length > 0);
  const baseline = sideUse(slots.filter(({ arm }) => arm === 'baseline'));
  const comparison = sideUse(slots.filter(({ arm }) => arm === 'comparison'));
  return baseline === null || comparison === null ? null : { baseline, comparison };
}

function sideUse(slots: readonly Slot[]): SideUse | null {
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}
