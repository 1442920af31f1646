/** Transactions take successive rows of the scenario's data; the next window or slot begins so much further on. */
const rowsApart = 10_007;

/** The row that a window or slot begins with: all arms with the same one, and other blocks with others. */
export function firstRowOf(seed: number, nth: number): number {
  return ((seed % 1000) + nth) * rowsApart;
}
