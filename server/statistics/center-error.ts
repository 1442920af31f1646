import { studentQuantile } from './student-t.ts';
import { wilcoxonInterval } from './wilcoxon.ts';

/** Fewer values have no signed-rank interval at 95 %. */
const enoughValues = 6;
const confidence = 0.95;

/**
 * Standard error of the Hodges-Lehmann center: half the width of the signed-rank interval, which is as many of them as
 * Student's t at that confidence. Of two to five values that of their mean, which is nearly the same then; null for one.
 */
export function centerError(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  if (values.length < enoughValues) return meanError(values);
  const interval = wilcoxonInterval(values, confidence);
  if (interval === null) return null;
  return (interval.hi - interval.lo) / 2 / studentQuantile(confidence, values.length - 1);
}

function meanError(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
}
