import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metrics } from '../../../../shared/kinds/comparison/metric.ts';

/**
 * The intervals at one moment of a run: their half-widths as shares, null where there is no interval yet. A metric
 * that is left out cannot be measured here and holds nothing up.
 */
export type Look = {
  /** Launches that are over; of a target that stands already, epochs. */
  done: number;
  halfWidths: Partial<Record<MetricId, number | null>>;
};

/** Of the headline, at which a quick run ends. */
const quickHalfWidth = 0.05;

/** Half-width of the headline at which a run ends; null if it looks at all metrics, or at none. */
export function precisionOfPlan({ preset, precision }: Pick<Plan, 'preset' | 'precision'>): number | null {
  return precision ?? (preset === 'quick' ? quickHalfWidth : null);
}

const looksInARow = 2;

/**
 * Whether the intervals are narrow enough: each metric with a target has held it at two looks in a row. It never sees
 * where an interval lies, nor a p-value: stopping on width keeps the interval's coverage, stopping on significance
 * raises a false alarm in 14 to 20 % of the runs.
 * @param looks oldest first
 */
export function shouldStop(
  looks: readonly Look[],
  { launches, epochs }: Pick<Plan, 'launches' | 'epochs'>,
): boolean {
  const recent = looks.slice(-looksInARow);
  const latest = recent.at(-1);
  if (latest === undefined || recent.length < looksInARow) return false;
  const fewest = launches.maximum === 1 ? epochs.minimum : launches.minimum;
  return latest.done >= fewest && recent.every(isNarrow);
}

/** After how many launches or epochs it is expected to hold, where the latest look was narrow enough; null otherwise. */
export function stopsAt(
  looks: readonly Look[],
  { launches, epochs }: Pick<Plan, 'launches' | 'epochs'>,
): number | null {
  const [earlier, latest] = [looks.at(-looksInARow), looks.at(-1)];
  if (latest === undefined || !isNarrow(latest)) return null;
  const isSecond = looks.length >= looksInARow && earlier !== undefined && isNarrow(earlier);
  const fewest = launches.maximum === 1 ? epochs.minimum : launches.minimum;
  return Math.max(fewest, latest.done + (isSecond ? 0 : 1));
}

function isNarrow({ halfWidths }: Look): boolean {
  return metrics.every(({ id, targetHalfWidth }) => {
    const halfWidth = halfWidths[id];
    if (targetHalfWidth === null || halfWidth === undefined) return true;
    return halfWidth !== null && halfWidth <= targetHalfWidth;
  });
}
