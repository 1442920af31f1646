import { capitalized } from '../../shared/base/cut.ts';
import { printNumber } from '../../shared/base/quantity.ts';
import { kindNames, kindWords } from '../../shared/measurement/kind-names.ts';
import type { ProgressEvent } from '../../shared/measurement/measurement.ts';
import { printCount, printDuration, printTimeLeft } from './printed-figures.ts';

/** `Start 3 of 4, about 40 s left`. */
export function progressText(progress: ProgressEvent | null): string {
  if (progress === null) return 'Starting';
  const { counts, secondsLeft, longerS } = progress;
  const parts = [
    ...counts
      // A nested part is counted only if there are several.
      .filter(({ planned }, index) => planned > (index === 0 ? 0 : 1))
      .map(countText),
    ...(secondsLeft === null ? [] : [printTimeLeft(secondsLeft)]),
    ...(longerS === undefined ? [] : [`${printDuration(longerS)} longer than planned`]),
  ];
  return parts.length === 0 ? 'Starting' : capitalized(parts.join(', '));
}

/** Number of the unit under way, or the number of requests. */
function countText({ of, done, planned }: Count): string {
  const all = Math.max(planned, done);
  if (isOfWarmUp(of)) return `${printNumber(done, 0)} of ${printCount(all, of)}`;
  return done < all ? `${of} ${printNumber(done + 1, 0)} of ${printNumber(all, 0)}` : printCount(all, of);
}

type Count = ProgressEvent['counts'][number];

function isOfWarmUp(of: string): boolean {
  return of.startsWith('warm-up');
}

/** Figures that a canceled measurement would keep. */
export function keptText(progress: ProgressEvent | null): string {
  const widest = progress?.counts.find(({ of, done }) => done > 0 && !isOfWarmUp(of));
  if (widest === undefined) return 'Nothing has been measured yet.';
  return `${printCount(widest.done, widest.of)} measured so far. Kept figures stay at this address, labeled incomplete.`;
}

export function queueText(queuePosition: number | null): string {
  if (queuePosition === null) return 'In the queue.';
  return queuePosition === 1 ? 'Next in the queue.' : `Number ${queuePosition} in the queue.`;
}

type Day<Item> = { key: string; title: string; isToday: boolean; items: Item[] };

const dayMs = 24 * 60 * 60_000;

const named = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Items of a list by their days in the reader's time zone, in the order of the list. Times in milliseconds. */
export function groupByDay<Item extends { createdAt: number }>(
  items: readonly Item[],
  nowMs: number,
): Day<Item>[] {
  const today = keyOf(nowMs);
  // Noon, as a day may be an hour shorter.
  const yesterday = keyOf(new Date(nowMs).setHours(12, 0, 0, 0) - dayMs);
  const titles = new Map([
    [today, 'Today'],
    [yesterday, 'Yesterday'],
  ]);
  const days = Map.groupBy(items, ({ createdAt }) => keyOf(createdAt));
  return [...days].map(([key, of]) => ({
    key,
    title: titles.get(key) ?? named.format(of[0]?.createdAt),
    isToday: key === today,
    items: of,
  }));
}

function keyOf(unixMs: number): string {
  const date = new Date(unixMs);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

/** Kinds as the choices of a select: `Runs (38)`. */
export function kindsWithCounts(counts: readonly { name: string; count: number }[]) {
  const of = new Map(counts.map(({ name, count }) => [name, count]));
  return kindNames.map((value) => ({
    value,
    label: `${kindWords[value].title} (${printNumber(of.get(value) ?? 0, 0)})`,
  }));
}
