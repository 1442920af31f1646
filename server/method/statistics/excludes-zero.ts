/** Whether an interval leaves no difference out. */
export function excludesZero({ lo, hi }: { lo: number; hi: number }): boolean {
  return lo > 0 || hi < 0;
}
