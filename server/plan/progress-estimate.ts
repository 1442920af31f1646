import type { Plan } from '../../shared/load-profile.ts';
import { type Phase, phases } from '../../shared/run.ts';
import { analysisS, leadS, runS, type SlotShapes } from './plan-duration.ts';

export type Position = {
  phase: Phase;
  /** Of the phase, or of the block under way while measuring: 0 to 1. */
  part: number;
  /** At both operating points together. */
  blocksDone: number;
  /** Since the run started. */
  elapsedMs: number;
  /** Once capacity is known; the plan's own until then. */
  shapes?: SlotShapes;
};

export type ProgressEstimate = { fraction: number; blocksPlanned: number; secondsLeft: number };

/** How far a run is and how long it still takes: the times that its plan sets, at the pace that it has shown. */
export function estimateProgress(plan: Plan, position: Position): ProgressEstimate {
  const blocksPlanned = plannedBlocks(plan, position.blocksDone);
  const parts = phaseSeconds(plan, blocksPlanned, position.shapes ?? plan.slots);
  const current = phases.indexOf(position.phase);
  const total = sum(parts);
  const planned = sum(parts.slice(0, current)) + (parts[current] ?? 0) * partOf(position, blocksPlanned);
  return {
    fraction: Math.min(1, planned / total),
    blocksPlanned,
    secondsLeft: Math.max(0, total - planned) * paceOf(position.elapsedMs / 1000, planned),
  };
}

/** Blocks between two looks at the intervals, at both operating points together. */
const blocksPerLook = 4;

/** The least that the plan asks for; once that is done, up to the next look. */
function plannedBlocks({ blocksPerPoint }: Plan, blocksDone: number): number {
  const { minimum, maximum } = blocksPerPoint;
  const nextLook = Math.ceil(blocksDone / blocksPerLook) * blocksPerLook;
  return Math.min(2 * maximum, Math.max(2 * minimum, nextLook));
}

/** In the order of the phases. */
function phaseSeconds(plan: Plan, blocksPlanned: number, shapes: SlotShapes): number[] {
  const lead = leadS(plan);
  const blocks = runS(plan, blocksPlanned / 2, shapes) - runS(plan, 0, shapes);
  return [lead.start, lead.capacity, lead.warmUp, lead.discarded + blocks, analysisS];
}

function partOf({ phase, part, blocksDone }: Position, blocksPlanned: number): number {
  const done = phase === 'measuring' ? (blocksDone + part) / blocksPlanned : part;
  return Math.min(1, Math.max(0, done));
}

/** Seconds that a planned second takes; told by enough of them only. */
function paceOf(elapsedS: number, plannedS: number): number {
  return plannedS < 5 ? 1 : Math.min(4, Math.max(0.5, elapsedS / plannedS));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
