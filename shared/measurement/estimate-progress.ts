/** How far a measurement is, and how long it still takes: the same for every kind, from the phases that a kind declares. */

/** A part of a measurement with a name of its own. */
export type Phase<Name extends string = string> = {
  name: Name;
  /** That it is expected to take: its share of the whole. */
  seconds: number;
  /** What is counted in it, or in each of its rounds; left out where nothing is. */
  steps?: number;
  rounds?: number;
};

/** What is counted of a phase. */
export type Done = { rounds: number; steps: number };

export type Position = {
  phase: string;
  /** Of the phase, 0 to 1. */
  part: number;
  /** Since the measurement began, or went on where it was. */
  elapsedS: number;
  /** Since the phase began, or went on. */
  inPhaseS: number;
  /** Fraction that was done before it went on. */
  before: number;
  /** Fraction that was told last: a bar never goes back. */
  told: number;
  /** Left out where nothing ends it but its work. */
  mostSecondsLeft?: number;
};

/** Of a phase, before its own pace is trusted more than its plan. */
const enough = 0.05;

/**
 * What is left of the phase under way goes on at the pace that it had so far, what comes after it as planned. The fraction is
 * one of time, so a bar moves as a clock does.
 * @returns seconds without rounding
 */
export function estimateProgress(
  phases: readonly Phase[],
  { phase, part, elapsedS, inPhaseS, before, told, mostSecondsLeft = Number.POSITIVE_INFINITY }: Position,
): { fraction: number; secondsLeft: number } {
  const at = phases.findIndex(({ name }) => name === phase);
  const laterS = phases.slice(at + 1).reduce((sum, { seconds }) => sum + seconds, 0);
  const plannedS = phases[at]?.seconds ?? 0;
  const ofPhaseS = part < enough ? Math.max(0, plannedS - inPhaseS) : (inPhaseS * (1 - part)) / part;
  const secondsLeft = Math.max(0, Math.min(ofPhaseS + laterS, mostSecondsLeft));
  const ofTime = secondsLeft === 0 ? 1 : elapsedS / (elapsedS + secondsLeft);
  return { fraction: Math.min(1, Math.max(told, before + (1 - before) * ofTime)), secondsLeft };
}

/** What share of a phase is done, of what there was to do when it began or went on. */
export function partOf(phase: Phase, done: Done, before: Done): number {
  if (phase.rounds === undefined) return portion(done.steps, phase.steps);
  const known = shareOf(phase, before);
  return known >= 1 ? 1 : (shareOf(phase, done) - known) / (1 - known);
}

/** What share of all its rounds is done; nothing of a phase without rounds. */
export function shareOf({ rounds, steps }: Pick<Phase, 'rounds' | 'steps'>, done: Done): number {
  return portion(done.rounds + portion(done.steps, steps), rounds);
}

function portion(done: number, of: number | undefined): number {
  return of === undefined || of === 0 ? 0 : Math.min(1, done / of);
}
