/**
 * Φ(x), the standard normal distribution function, by its Taylor series; absolute error below 1e-15.
 * Source: Marsaglia, Evaluating the Normal Distribution, Journal of Statistical Software 11 (2004).
 */
export function normalDistribution(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  for (let i = 3, before = 0; sum !== before; i += 2) {
    before = sum;
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
