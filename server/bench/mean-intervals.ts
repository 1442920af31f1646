import type { Estimate } from '../../shared/comparison.ts';
import { studentQuantile } from '../statistics/student-t.ts';

/**
 * Intervals of means under normal noise, as most tools quote them: what our intervals are compared with. Null when a
 * sample has fewer than two values.
 */

/** Of the mean of paired differences. */
export function pairedInterval(differences: readonly number[], confidence = 0.95): Estimate | null {
  if (differences.length < 2) return null;
  const { mean, squaredError } = momentsOf(differences);
  return around(mean, squaredError, differences.length - 1, confidence);
}

/** Of mean(b) − mean(a), as if the two samples had nothing in common. Source: Welch, Biometrika 34 (1947). */
export function welchInterval(
  a: readonly number[],
  b: readonly number[],
  confidence = 0.95,
): Estimate | null {
  if (a.length < 2 || b.length < 2) return null;
  const [first, second] = [momentsOf(a), momentsOf(b)];
  const squaredError = first.squaredError + second.squaredError;
  const degrees =
    squaredError ** 2 /
    (first.squaredError ** 2 / (a.length - 1) + second.squaredError ** 2 / (b.length - 1));
  return around(second.mean - first.mean, squaredError, degrees, confidence);
}

function momentsOf(values: readonly number[]): { mean: number; squaredError: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, squaredError: squares / (values.length - 1) / values.length };
}

/** Without any spread there is nothing to be uncertain about. */
function around(mean: number, squaredError: number, degrees: number, confidence: number): Estimate {
  const reach = squaredError === 0 ? 0 : studentQuantile(confidence, degrees) * Math.sqrt(squaredError);
  return { center: mean, lo: mean - reach, hi: mean + reach };
}
