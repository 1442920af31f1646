import { printChange, printChangeInterval } from '../../base/quantity.ts';
import type { VisitRow } from './visits.ts';

/** What visits found, the first visit before the second; empty when nothing can be said. */
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
