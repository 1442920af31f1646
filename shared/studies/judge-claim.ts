import { estimateDecimals, printNumber } from '../base/quantity.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';
import type { Claim, ClaimUnit, ClaimWord, Rule } from './claim.ts';
import type { Reading } from './figures/figure.ts';

/** The outcome of a claim, and today's figure. The two never contradict each other. */
export type Judged = { word: ClaimWord; value: Estimate; today: string };

export function judgeClaim({ unit, ...claim }: Claim & { rule: Rule | null }, reading: Reading): Judged {
  const [value] = reading.values;
  const figure = printValue(value, unit);
  const today = reading.today ?? (reading.atLeast ? `At least ${figure}.` : `${figure}.`);
  return { word: claim.rule === null ? 'not comparable' : wordOf(reading, claim.rule), value, today };
}

function wordOf({ values, doubt, atLeast }: Reading, rule: Rule): ClaimWord {
  if (doubt === undefined) return judge(values, rule);
  if (atLeast === undefined) return 'not decided';
  return judge(
    values.map(({ lo }) => ({ lo, hi: Number.POSITIVE_INFINITY })),
    rule,
  );
}

/** `Holds` only where each whole interval lies within the rule's range, `no longer` only where a whole one lies outside. */
export function judge(values: readonly Pick<Estimate, 'lo' | 'hi'>[], { from, to }: Rule): ClaimWord {
  const [least, most] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  if (values.every(({ lo, hi }) => lo >= least && hi <= most)) return 'holds';
  return values.some(({ lo, hi }) => hi < least || lo > most) ? 'no longer' : 'not decided';
}

/** `14.5 % (12.9 to 16.1 %)`, and without an interval `242 per second`. */
export function printValue(value: Estimate, unit: ClaimUnit): string {
  const { center, lo, hi } = value;
  const after = unit === '' ? '' : ` ${unit}`;
  if (lo === hi) return `${printNumber(center, digitsOf(center))}${after}`;
  const decimals = Math.min(4, estimateDecimals(value) + (Math.abs(center) < 10 ? 1 : 0));
  const print = (each: number) => printNumber(each, decimals);
  return `${print(center)}${after} (${print(lo)} to ${print(hi)}${unit === '%' ? ' %' : ''})`;
}

/** Three digits. */
function digitsOf(value: number): number {
  return value === 0 ? 0 : Math.min(4, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
}
