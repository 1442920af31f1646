import type { Estimate } from '../kinds/comparison/comparison.ts';

/** What a study found, and whether it still holds. The word never contradicts the interval beside it. */

export type ClaimVerdict = 'holds' | 'does not hold' | 'not decided';

export type Claim = {
  /** What the study found. */
  claim: string;
  verdict: ClaimVerdict;
  /** Today's figures. */
  today: string;
};

/** Whether a value lies between two others: only said where its whole interval lies inside, or outside. */
export function judgeWithin({ lo, hi }: Pick<Estimate, 'lo' | 'hi'>, from: number, to: number): ClaimVerdict {
  if (lo >= from && hi <= to) return 'holds';
  return hi < from || lo > to ? 'does not hold' : 'not decided';
}

/** Whether a value is more than another. */
export function judgeAbove({ lo, hi }: Pick<Estimate, 'lo' | 'hi'>, than: number): ClaimVerdict {
  return lo > than ? 'holds' : hi <= than ? 'does not hold' : 'not decided';
}

/** `Keep-alive gains most: holds. 6.1× …`. */
export function sentenceOf({ claim, verdict, today }: Claim): string {
  return `${claim}: ${verdict}. ${today}`;
}
