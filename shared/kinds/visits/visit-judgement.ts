import { printChange, printChangeInterval, printNumber } from '../../base/quantity.ts';
import type { VisitRow, VisitsBlock } from './visits.ts';

/** "No overhead above" this. */
export const visitTolerance = 0.05;

/** Tested in this sequence, what the headline says first; the other times are exploratory. */
const sequence = ['cold loadUs', 'warm loadUs', 'cold lcpUs'];

export function isPrimary(row: Pick<VisitRow, 'pass' | 'time'>): boolean {
  return turnOf(row) < sequence.length;
}

/** Its place in the sequence; exploratory times come after it. */
export function turnOf({ pass, time }: Pick<VisitRow, 'pass' | 'time'>): number {
  const place = sequence.indexOf(`${pass} ${time}`);
  return place < 0 ? sequence.length : place;
}

/** How clean visits were, and why. Noisy ones are no less right: their intervals are wider. */
export function qualityOfVisits({
  blocks,
  rows,
}: {
  blocks: readonly VisitsBlock[];
  rows: readonly VisitRow[];
}): { quality: 'clean' | 'noisy'; reasons: string[] } {
  const dropped = blocks.filter((block) => block.dropped !== null).length;
  const twins = rows.filter((row) => isPrimary(row) && row.twinRatio !== null && apart(row.twinRatio));
  const wide = rows.filter((row) => isPrimary(row) && row.ratio !== null && halfWidth(row.ratio) > wideAbove);
  const reasons = [
    ...(dropped === 0
      ? []
      : [`${printNumber(dropped, 0)} of ${printNumber(blocks.length, 0)} blocks were left out.`]),
    ...(twins.length === 0
      ? []
      : ['The twin differed from the baseline by more than chance, so the machine moved the figures.']),
    ...(wide.length === 0
      ? []
      : [`Visits scattered: an interval is wider than ±${printNumber(100 * wideAbove, 0)} %. Add blocks.`]),
  ];
  return { quality: reasons.length === 0 ? 'clean' : 'noisy', reasons };
}

const wideAbove = 0.1;

function apart({ lo, hi }: { lo: number; hi: number }): boolean {
  return lo > 1 || hi < 1;
}

function halfWidth({ lo, hi }: { lo: number; hi: number }): number {
  return (hi / lo) ** 0.5 - 1;
}

/** Findings of visits in sentences, the first visit before the second; empty if there are none. */
export function visitSentences(rows: readonly VisitRow[]): string[] {
  return (['cold', 'warm'] as const).flatMap((pass) => {
    const row = rows.find((each) => each.pass === pass && each.time === 'loadUs');
    const sentence = row === undefined ? null : sentenceOf(row);
    return sentence === null ? [] : [sentence];
  });
}

const visits = { cold: 'the first visit', warm: 'a second visit' };

function sentenceOf({ pass, ratio, outcome }: VisitRow): string | null {
  if (ratio === null || outcome === 'refused') return null;
  const interval = `95 % CI ${printChangeInterval(ratio)}`;
  switch (outcome) {
    case 'overhead': {
      const word = ratio.center > 1 ? 'longer' : 'less time';
      return `Over HTTPS, ${visits[pass]} takes ${printChange(ratio.center).replace(/^[+−]/, '')} ${word} to load (${interval}).`;
    }
    case 'no_overhead':
      return `HTTPS does not slow down ${visits[pass]} beyond the noise (${interval}).`;
    case 'inconclusive':
    case 'not_tested':
      return `The effect of HTTPS on the load time of ${visits[pass]} is inconclusive (${interval}).`;
  }
}
