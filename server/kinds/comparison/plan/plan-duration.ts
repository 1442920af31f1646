import type { OperatingPoint, Plan, Preset, SlotShape } from '../../../../shared/load-profile.ts';

import { probeMsOf } from './operating-point.ts';

/** How long a plan takes: what the presets promise and the progress bar counts down. */

/** Start of the target, preflight and generator. */
export const startS = 1.5;
/** Merging, estimating and storing. */
export const analysisS = 0.5;
/** Per slot beside the load: readings at its edges, answers still under way. */
const edgesMs = 15;
const slotsPerBlock = 6;

export type SlotShapes = Record<OperatingPoint, SlotShape>;

export function blockS({ durationMs }: SlotShape, idleMs: number): number {
  return (slotsPerBlock * (durationMs + idleMs + edgesMs)) / 1000;
}

/** From the first connection to the first block that counts, by its parts. */
export function leadS(plan: Plan): { start: number; capacity: number; warmUp: number; discarded: number } {
  return {
    start: startS,
    capacity: (2 * probeMsOf(plan)) / 1000,
    warmUp: plan.warmUp.minimumMs / 1000,
    discarded: blockS(plan.slots.steady, plan.idleMs),
  };
}

/** A whole run with that many blocks at each operating point. */
export function runS(plan: Plan, blocksPerPoint: number, shapes: SlotShapes = plan.slots): number {
  const lead = Object.values(leadS(plan)).reduce((sum, seconds) => sum + seconds, 0);
  return lead + blocksPerPoint * pairS(plan, shapes) + analysisS;
}

/** What a whole run of a preset may take: slow targets have longer slots, and then fewer of them. */
export const longestS: Record<Preset, number> = { quick: 35, standard: 250, thorough: 600 };

/** Blocks at each operating point that the preset's time holds, within the plan's limits. */
export function blocksThatFit(plan: Plan, shapes: SlotShapes): number {
  const { minimum, maximum } = plan.blocksPerPoint;
  const left = longestS[plan.preset] - runS(plan, 0, shapes);
  return Math.min(maximum, Math.max(minimum, Math.floor(left / pairS(plan, shapes))));
}

function pairS(plan: Plan, shapes: SlotShapes): number {
  return blockS(shapes.steady, plan.idleMs) + blockS(shapes.maximum, plan.idleMs);
}
