/** In one window: a total, and what it is divided by. */
type Part = { sum: number; count: number };

/**
 * The logarithm of (Σ sum ÷ Σ count) of one arm divided by that of another, over windows that both share, and its standard
 * error by the jackknife over windows: each is left out in turn, so what the arms share in a window cancels. Null where a
 * total is not above zero; no error for fewer than three windows.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, section 11.
 */
export function ratioOfSums(
  one: readonly Part[],
  other: readonly Part[],
): { log: number; error: number | null } | null {
  const [above, below] = [totalOf(one), totalOf(other)];
  const log = logOf(above, below);
  if (!Number.isFinite(log)) return null;
  const without = one.map((part, index) => logOf(less(above, part), less(below, other[index] ?? part)));
  const isSteady = without.length >= fewestWindows && without.every(Number.isFinite);
  return { log, error: isSteady ? jackknifeError(without) : null };
}

const fewestWindows = 3;

function jackknifeError(without: readonly number[]): number {
  const n = without.length;
  const mean = without.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(((n - 1) / n) * without.reduce((sum, value) => sum + (value - mean) ** 2, 0));
}

function logOf(above: Part, below: Part): number {
  return Math.log(above.sum / above.count / (below.sum / below.count));
}

function totalOf(parts: readonly Part[]): Part {
  return parts.reduce((total, { sum, count }) => ({ sum: total.sum + sum, count: total.count + count }), {
    sum: 0,
    count: 0,
  });
}

function less(total: Part, { sum, count }: Part): Part {
  return { sum: total.sum - sum, count: total.count - count };
}
