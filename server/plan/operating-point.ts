import type { OperatingPoint, Plan, SlotShape } from '../../shared/load-profile.ts';

/**
 * Transactions per second offered to both arms at the steady point: half of what the slower one managed, so that
 * neither queues, in two significant digits.
 */
export function steadyRate(capacities: { baseline: number; comparison: number }): number {
  const half = Math.min(capacities.baseline, capacities.comparison) / 2;
  return Math.max(1, Number(half.toPrecision(2)));
}

/** Below this many requests per second a slot takes twice as long, for its percentiles to rest on something. */
const scarce = 500;

/** Slots of a point, given how many requests an arm completes there. quick has promised its time, thorough has long slots anyway. */
export function slotShape(plan: Plan, point: OperatingPoint, completionsPerS: number): SlotShape {
  const shape = plan.slots[point];
  if (plan.preset !== 'standard' || completionsPerS >= scarce) return shape;
  return { ...shape, durationMs: shape.durationMs * 2 };
}
