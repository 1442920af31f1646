/**
 * p-values adjusted for being tested together, in the order given: Holm's step-down method keeps the chance of any
 * false alarm in the family at the level, whatever the dependence between the tests.
 * Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979).
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues
    .map((_, index) => index)
    .sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  for (const [step, index] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues[index] as number) * (pValues.length - step)));
    adjusted[index] = largest;
  }
  return adjusted;
}
