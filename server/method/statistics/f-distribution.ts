import { incompleteBeta } from './incomplete-beta.ts';

/** Beyond this the F distribution with infinitely many degrees below is told from it by less than 1e-6. */
const mostDegrees = 1e7;

/**
 * P(F > f), F the quotient of two independent variance estimates with so many degrees of freedom above and below, which
 * need not be whole; Infinity stands for a variance that is known. 1 for f ≤ 0.
 * Source: DLMF 8.17(v); P(F > f) = I_x(ν₂/2, ν₁/2) with x = ν₂ / (ν₂ + ν₁ f).
 */
export function fPValue(f: number, degrees: readonly [above: number, below: number]): number {
  if (f <= 0) return 1;
  const above = Math.min(degrees[0], mostDegrees);
  const below = Math.min(degrees[1], mostDegrees);
  return incompleteBeta(below / (below + above * f), below / 2, above / 2);
}
