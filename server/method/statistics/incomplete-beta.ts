/**
 * I_x(a, b), the regularized incomplete beta function, by its continued fraction; relative error about 1e-14.
 * Source: DLMF 8.17.22, evaluated by Lentz's method (Press et al., Numerical Recipes, section 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return (front * continuedFraction(x, a, b)) / a;
}

const mostTerms = 10_000;
const tiny = 1e-300;

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d);
      c = awayFromZero(1 + term / c);
      change = c * d;
      value *= change;
    }
    if (Math.abs(change - 1) < Number.EPSILON) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** ln Γ(x) for x > 0, by Stirling's series from 15 on and the recurrence below. Source: DLMF 5.11.1. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 15; at++) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
