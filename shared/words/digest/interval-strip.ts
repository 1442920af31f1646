import { printChange } from '../../base/quantity.ts';
import type { Estimate } from '../../kinds/comparison/comparison.ts';

/** Characters of a strip. */
const width = 24;

type Strips = {
  /** One for each interval, such as `··│·······├─●─┤·····`; empty where there is none. */
  strips: readonly string[];
  /** What the ends of each stand for: `−5.0 % to +25 %`. */
  axis: string;
};

/** Intervals of changes as text in a font of one width, all on one axis, which holds no change (`│`). Null without any. */
export function stripsOf(intervals: readonly (Estimate | null)[]): Strips | null {
  const ends = intervals.flatMap((interval) => (interval === null ? [] : [interval.lo, interval.hi]));
  const [from, to] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  if (from === to) return null;
  const place = (value: number) => Math.round(((value - from) / (to - from)) * (width - 1));
  return {
    strips: intervals.map((interval) => (interval === null ? '' : draw(interval, place))),
    axis: `${printEnd(from)} to ${printEnd(to)}`,
  };
}

function printEnd(change: number): string {
  return change === 0 ? '0' : printChange(1 + change);
}

function draw({ lo, center, hi }: Estimate, place: (value: number) => number): string {
  const [first, last, zero] = [place(lo), place(hi), place(0)];
  const cells = Array.from({ length: width }, (_, index) => {
    if (index === place(center)) return '●';
    if (index === first) return '├';
    if (index === last) return '┤';
    if (index === zero) return first < zero && zero < last ? '┼' : '│';
    return first < index && index < last ? '─' : '·';
  });
  return cells.join('');
}
