import type { Plan } from '../../../../shared/load-profile.ts';
import { type Phase, phases } from '../../../../shared/run.ts';
import { analysisS, leadS, runS, type SlotShapes } from './plan-duration.ts';

export type Position = {
  phase: Phase;
  /** Share of the phase that is done, 0 to 1; while measuring, the blocks tell it instead. */
  phaseFraction: number;
  /** At both operating points together. */
  blocksDone: number;
  blocksPlanned: number;
  /** Once it is known how long slots take here; the plan's own until then. */
  shapes?: SlotShapes;
  /** The fraction told before: the bar never goes back. */
  told: number;
};

/** How far a run is and how long it still takes, by the times that its plan sets. */
export function estimateProgress(plan: Plan, position: Position): { fraction: number; secondsLeft: number } {
  const seconds = phaseSeconds(plan, position);
  const current = phases.indexOf(position.phase);
  const total = sum(seconds);
  const elapsed = sum(seconds.slice(0, current)) + (seconds[current] ?? 0) * doneOf(position);
  return {
    fraction: Math.min(1, Math.max(position.told, elapsed / total)),
    secondsLeft: total - elapsed,
  };
}

/** In the order of the phases. */
function phaseSeconds(plan: Plan, { blocksPlanned, shapes = plan.slots }: Position): number[] {
  const lead = leadS(plan);
  const blocks = runS(plan, blocksPlanned / 2, shapes) - runS(plan, 0, shapes);
  return [lead.start, lead.capacity, lead.warmUp, lead.discarded + blocks, analysisS];
}

function doneOf({ phase, phaseFraction, blocksDone, blocksPlanned }: Position): number {
  const done = phase === 'measuring' ? blocksDone / Math.max(1, blocksPlanned) : phaseFraction;
  return Math.min(1, Math.max(0, done));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
