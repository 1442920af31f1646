import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { studentQuantile } from './student-t.ts';

/** Of the normal distribution, for 95 %. */
const z = 1.959964;

type Measured = { value: number; error: number | null };

/**
 * The estimate of a single launch: the mean of its epochs and its 95 % interval, from what varied within the launch. It
 * speaks of these processes only. Where each epoch has a standard error of its own, those are taken together by the normal
 * distribution, as each rests on many windows; when the epochs lie farther apart than their errors allow, the interval is
 * widened by as much (Birge, The Calculation of Errors by the Method of Least Squares, Physical Review 40, 1932).
 * Without errors the epochs' spread must do, by Student's t. Of a single epoch without an error nothing is known to vary.
 */
export function withinLaunch(epochs: readonly Measured[]): Estimate {
  const values = epochs.map(({ value }) => value);
  const center = values.reduce((sum, value) => sum + value, 0) / values.length;
  const reach = reachOf(epochs, center);
  return { center, lo: center - reach, hi: center + reach };
}

function reachOf(epochs: readonly Measured[], center: number): number {
  const n = epochs.length;
  const squares = epochs.reduce((sum, { value }) => sum + (value - center) ** 2, 0);
  const errors = epochs.flatMap(({ error }) => error ?? []);
  if (errors.length < n) {
    return n < 2 ? 0 : studentQuantile(0.95, n - 1) * Math.sqrt(squares / (n - 1) / n);
  }
  const meanSquare = errors.reduce((sum, error) => sum + error ** 2, 0) / n;
  const spread = n < 2 || meanSquare === 0 ? 0 : squares / (n - 1) / meanSquare;
  return z * Math.sqrt((meanSquare / n) * Math.max(1, spread));
}
