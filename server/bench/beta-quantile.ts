import { incompleteBeta } from '../method/statistics/incomplete-beta.ts';

/** The x at which I_x(a, b) is p, to the last bit that doubles hold. */
export function betaQuantile(p: number, a: number, b: number): number {
  let below = 0;
  let above = 1;
  for (;;) {
    const middle = (below + above) / 2;
    if (middle === below || middle === above) return middle;
    if (incompleteBeta(middle, a, b) < p) below = middle;
    else above = middle;
  }
}
