import { compiled, incbi } from 'cephes';

await compiled;

/** The x at which I_x(a, b), the regularised incomplete beta function, is p. */
export function betaQuantile(p: number, a: number, b: number): number {
  return incbi(a, b, p);
}
