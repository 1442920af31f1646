import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { meanOf } from './mean.ts';
import type { Unit } from './random-effects.ts';
import { studentPValue, studentQuantile } from './student-t.ts';

type LaunchInterval = Estimate & {
  degrees: number;
  /** Two-sided, that the center is zero. */
  pValue: number;
  standardError: number;
};

/** One launch needs as many units for an interval. */
const fewestUnits = 3;

/**
 * The mean over the launches with Student's interval. Units of a launch share its processes, so only the launches' means
 * are independent: they carry all variances, between launches, epochs and within, in one spread with launches − 1
 * degrees of freedom. Each launch counts alike, as what differs between launches outweighs what more epochs of one tell.
 * With one launch its units stand in, and the interval is about those processes only. Null for a launch with fewer than
 * three units.
 */
export function launchInterval(units: readonly Unit[], confidence = 0.95): LaunchInterval | null {
  const launches = Map.groupBy(units, ({ launch }) => launch);
  const each = launches.size >= 2 ? [...launches.values()] : units.map((unit) => [unit]);
  if (launches.size < 2 && units.length < fewestUnits) return null;
  const values = each.map((of) => meanOf(of.map(({ value }) => value)));
  return studentInterval(values, confidence);
}

function studentInterval(values: readonly number[], confidence: number): LaunchInterval {
  const degrees = values.length - 1;
  const center = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  const standardError = Math.sqrt(squares / degrees / values.length);
  const reach = standardError === 0 ? 0 : studentQuantile(confidence, degrees) * standardError;
  return {
    ...{ center, lo: center - reach, hi: center + reach },
    ...{ degrees, standardError, pValue: pValueOf(center, standardError, degrees) },
  };
}

/** Without any spread there is nothing to be uncertain about. */
function pValueOf(center: number, standardError: number, degrees: number): number {
  if (standardError === 0) return center === 0 ? 1 : 0;
  return studentPValue(center / standardError, degrees);
}
