/**
 * Derivatives of ln Γ(x) for x > 0: by their asymptotic series from 15 on, and by the recurrence
 * ψ⁽ⁿ⁾(x) = ψ⁽ⁿ⁾(x + 1) − (−1)ⁿ n! / xⁿ⁺¹ below. Relative error about 1e-14.
 * Source: DLMF 5.11.2 (the series and its derivatives) and 5.15.5.
 */
const seriesFrom = 15;

/** ψ(x), the first. */
export function digamma(x: number): number {
  let below = 0;
  let at = x;
  for (; at < seriesFrom; at++) below += 1 / at;
  const v = 1 / (at * at);
  return Math.log(at) - 1 / (2 * at) - v * (1 / 12 - v * (1 / 120 - v * (1 / 252 - v / 240))) - below;
}

/** ψ′(x), the second. */
export function trigamma(x: number): number {
  let below = 0;
  let at = x;
  for (; at < seriesFrom; at++) below += 1 / (at * at);
  const v = 1 / (at * at);
  return (
    1 / at + v / 2 + (v / at) * (1 / 6 - v * (1 / 30 - v * (1 / 42 - v * (1 / 30 - (5 * v) / 66)))) + below
  );
}

/** ψ″(x), the third. */
function tetragamma(x: number): number {
  let below = 0;
  let at = x;
  for (; at < seriesFrom; at++) below += 2 / at ** 3;
  const v = 1 / (at * at);
  return -v - v / at - v * v * (1 / 2 - v * (1 / 6 - v * (1 / 6 - v * (3 / 10 - (5 * v) / 6)))) - below;
}

const mostSteps = 50;

/**
 * The x > 0 at which ψ′(x) is y > 0: Newton's method on 1/ψ′, which is nearly straight, so it converges from one side.
 * Source: Smyth, Linear Models and Empirical Bayes Methods, Statistical Applications in Genetics 3(1) 3 (2004), appendix;
 * as `trigammaInverse` of limma.
 */
export function inverseTrigamma(y: number): number {
  if (y > 1e7) return 1 / Math.sqrt(y);
  if (y < 1e-6) return 1 / y;
  let x = 0.5 + 1 / y;
  for (let step = 0; step < mostSteps; step++) {
    const slope = trigamma(x);
    const change = (slope * (1 - slope / y)) / tetragamma(x);
    x += change;
    if (-change / x < 1e-12) break;
  }
  return x;
}
