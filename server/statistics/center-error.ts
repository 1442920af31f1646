import { studentQuantile } from './student-t.ts';
import { wilcoxonInterval } from './wilcoxon.ts';

const fewestValues = 6;
const confidence = 0.95;

/**
 * Standard error of the Hodges-Lehmann center: half the width of the signed-rank interval, which is as many of them as
 * Student's t at that confidence. Null for fewer than six values, which have no interval at 95 %.
 */
export function centerError(values: readonly number[]): number | null {
  if (values.length < fewestValues) return null;
  const interval = wilcoxonInterval(values, confidence);
  if (interval === null) return null;
  return (interval.hi - interval.lo) / 2 / studentQuantile(confidence, values.length - 1);
}
