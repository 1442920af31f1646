import { incompleteBeta } from './incomplete-beta.ts';

/** Student's t distribution. Source: DLMF 8.17(v); P(|T| > t) = I_x(ν/2, ½) with x = ν / (ν + t²). */

/** P(|T| > |t|). */
export function studentPValue(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t beyond which both tails together hold 1 − confidence: half an interval, in standard errors. */
export function studentQuantile(confidence: number, degrees: number): number {
  if (!Number.isInteger(degrees)) return searchQuantile(confidence, degrees);
  const key = `${confidence} ${degrees}`;
  const found = known.get(key) ?? searchQuantile(confidence, degrees);
  known.set(key, found);
  return found;
}

/** A sweep asks for one quantile tens of thousands of times. */
const known = new Map<string, number>();

function searchQuantile(confidence: number, degrees: number): number {
  const tails = 1 - confidence;
  let below = 0;
  let above = 1;
  while (studentPValue(above, degrees) > tails) {
    below = above;
    above *= 2;
  }
  for (;;) {
    const middle = (below + above) / 2;
    if (middle === below || middle === above) return middle;
    if (studentPValue(middle, degrees) > tails) below = middle;
    else above = middle;
  }
}
