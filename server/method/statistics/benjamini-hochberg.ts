/**
 * p-values adjusted for looking at many, in the order given: of those at or below a level, at most that share are false alarms
 * on average. For tests that are independent or depend on each other positively.
 * Source: Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B 57 (1995).
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const descending = pValues.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p);
  const adjusted = new Array<number>(pValues.length);
  let smallest = 1;
  for (const [above, { p, index }] of descending.entries()) {
    smallest = Math.min(smallest, (p * pValues.length) / (pValues.length - above));
    adjusted[index] = smallest;
  }
  return adjusted;
}
