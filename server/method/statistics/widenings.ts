import type { Precision, Widening } from '../../../shared/kinds/comparison/precision.ts';
import { boundsOf } from './precision.ts';

/**
 * How far each cause widens a 95 % interval to either side. What an interval is to reach at least comes from the twin, so what that
 * adds counts as its.
 */
export function wideningsByName(precision: Precision): Record<Widening['name'], number> {
  const of = (name: Widening['name']) =>
    precision.widenings.reduce((sum, widening) => (widening.name === name ? sum + widening.by : sum), 0);
  const { lo, hi } = boundsOf(precision);
  const free = boundsOf({ ...precision, atLeast: null });
  return {
    drift: of('drift'),
    twin: of('twin') + Math.max(free.lo - lo, hi - free.hi),
    'carry-over': of('carry-over'),
  };
}

export function widenedBy(precision: Precision): number {
  return Object.values(wideningsByName(precision)).reduce((sum, by) => sum + by, 0);
}

/**
 * The error of a run among runs: without what moves between them, which pooling adds for all of them together. What widened its
 * interval is no chance of its own draws, but may be another in the next run: a normal error whose 95 % reach is as much, that is half of it.
 */
export function errorAmongRuns({ withinError, widened }: { withinError: number; widened: number }): number {
  return Math.hypot(withinError, widened / 2);
}
