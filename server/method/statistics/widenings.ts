import type { Precision, Widening } from '../../../shared/kinds/comparison/precision.ts';

/** How far each cause widens a 95 % interval to either side. */
export function wideningsByName({ widenings }: Pick<Precision, 'widenings'>): Record<Widening['name'], number> {
  const of = (name: Widening['name']) =>
    widenings.reduce((sum, widening) => (widening.name === name ? sum + widening.by : sum), 0);
  return { drift: of('drift'), twin: of('twin'), 'carry-over': of('carry-over') };
}

export function widenedBy(precision: Pick<Precision, 'widenings'>): number {
  return Object.values(wideningsByName(precision)).reduce((sum, by) => sum + by, 0);
}

/**
 * The error of a run among runs: without what moves between them, which pooling adds for all of them together. What widened its
 * interval is no chance of its own draws, but may be another in the next run: a normal error whose 95 % reach is as much, that is half of it.
 */
export function errorAmongRuns({ withinError, widened }: { withinError: number; widened: number }): number {
  return Math.hypot(withinError, widened / 2);
}
