import { lengths } from '../../../../shared/kinds/comparison/load-names.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { fewestSamples } from '../../../method/statistics/random-effects.ts';

/**
 * When a run ends: its headline is known to its precision at two looks in a row. The rule sees widths, never where an interval lies,
 * nor a p-value: stopping on width keeps the interval's coverage, stopping on significance raises a false alarm in 14 to 20 % of the runs.
 */

/** The headline at one moment: its samples so far, and the half-width of its ratio, as a share, that a longer run would narrow. */
export type Look = { samples: number; halfWidth: number };

/** Half-width of the headline at which a run ends. */
export function precisionOfPlan({ length, precision }: Pick<Plan, 'length' | 'precision'>): number {
  return precision ?? lengths[length].precision;
}

/** Looks that share most of their samples agree by chance. */
const growth = 1.2;
const looksInARow = 2;

/** Adds a look if there are 20 % more samples than at the latest. @param looks oldest first */
export function withLook(looks: readonly Look[], look: Look): readonly Look[] {
  const latest = looks.at(-1);
  return latest !== undefined && look.samples < growth * latest.samples ? looks : [...looks, look];
}

export function isKnown(looks: readonly Look[], precision: number): boolean {
  const recent = looks.slice(-looksInARow);
  return (
    recent.length === looksInARow &&
    (recent.at(-1)?.samples ?? 0) >= fewestSamples &&
    recent.every(({ halfWidth }) => halfWidth <= precision)
  );
}

/** How many times what has been measured is expected to be needed; infinite where nothing is known yet. */
export function expectedGrowth({ halfWidth }: Look, precision: number): number {
  return Math.max(1, (halfWidth / precision) ** 2);
}
