import { mapEstimate } from '../../shared/base/map-estimate.ts';
import { printChangeInterval } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';

/** A ratio as a change: 0.21 for 1.21. */
export function changeOf(ratio: Estimate): Estimate {
  return mapEstimate(ratio, (value) => value - 1);
}

/** `+19.8 to +22.2 %`, of an interval of changes. */
export function printChanges(change: Estimate): string {
  return printChangeInterval(mapEstimate(change, (value) => 1 + value));
}
