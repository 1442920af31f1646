import type { OperatingPoint, Plan, SlotShape } from '../../../../shared/load-profile.ts';
import { problem } from '../../../../shared/problem.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import { thinkTimesInSlot } from './think-times.ts';

/**
 * Transactions per second offered to both arms at the steady point: half of what the slower one managed, so that
 * neither queues, in two significant digits.
 */
export function steadyRate(capacities: { baseline: number; comparison: number }): number {
  const half = Math.min(capacities.baseline, capacities.comparison) / 2;
  return Math.max(1, Number(half.toPrecision(2)));
}

/** A rate near the maximum makes queues, whose length is chance. */
const highestUtilisation = 0.9;

/** The rate that was asked for, where both arms can bear it; else the steady one. Throws rate_too_high. */
export function rateFor(asked: number | null, capacities: { baseline: number; comparison: number }): number {
  if (asked === null) return steadyRate(capacities);
  const slower = Math.min(capacities.baseline, capacities.comparison);
  if (asked <= highestUtilisation * slower) return asked;
  throw problem(
    'rate_too_high',
    `${printNumber(asked, 0)} transactions a second were asked for, and the slower side managed ${printNumber(slower, 0)} at most.`,
  );
}

/** Below this many requests per second a slot takes twice as long, for its percentiles to rest on something. */
const scarce = 500;

/**
 * Slots of a point, given how many requests an arm completes there. quick has promised its time, thorough has long slots
 * anyway; both give way to think times and to a ramp.
 */
export function slotShape(plan: Plan, point: OperatingPoint, completionsPerS: number): SlotShape {
  const { durationMs, discardMs } = plan.slots[point];
  const factor = plan.preset === 'standard' && completionsPerS < scarce && plan.thinkMs === 0 ? 2 : 1;
  const rampMs = rampMsOf(plan, point);
  return {
    durationMs: Math.max(durationMs * factor, thinkTimesInSlot * plan.thinkMs) + rampMs,
    discardMs: discardMs + rampMs,
  };
}

/** Only arrivals at a rate can rise. */
export function rampMsOf(plan: Plan, point: OperatingPoint): number {
  return point === 'steady' ? plan.rampMs : 0;
}

/** Of one arm's capacity probe. Users who pause must come to the end of a transaction in the half of it that counts. */
export function probeMsOf(plan: Plan): number {
  return Math.max(plan.capacityMs, 4 * plan.thinkMs);
}
