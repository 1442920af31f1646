/** How far a measurement is, and how long it still takes: the same for every kind, from the phases that a kind declares. */

/** A part of a measurement with a name of its own. */
export type Phase<Name extends string = string> = {
  name: Name;
  /** That it is expected to take: its share of the whole. */
  seconds: number;
  /** Number of steps in it, or in each of its rounds; absent if nothing is counted. */
  steps?: number;
  rounds?: number;
};

/** Counts of a phase. */
export type Done = { rounds: number; steps: number };

export type Position = {
  phase: string;
  /** Part of the phase that is done, 0 to 1. */
  part: number;
  /** Part that will be done once the step under way has ended; `part` where nobody counts. */
  next?: number;
  /** Since the phase began, or went on. */
  inPhaseS: number;
  /** Since the step under way began. */
  inStepS?: number;
};

/** Part of a phase after which its own pace is trusted more than its plan. */
const enough = 0.05;

/**
 * The phase under way is expected to go on at the pace of what it has done, later ones as planned. A step uses up its own time, and one
 * that takes longer delays the end by no more than that.
 * @returns seconds without rounding, which may rise from one moment to the next
 */
export function estimateSecondsLeft(
  phases: readonly Phase[],
  { phase, part, next = part, inPhaseS, inStepS = 0 }: Position,
): number {
  const at = phases.findIndex(({ name }) => name === phase);
  const laterS = phases.slice(at + 1).reduce((sum, { seconds }) => sum + seconds, 0);
  const plannedS = phases[at]?.seconds ?? 0;
  if (part < enough) return Math.max(0, plannedS - inPhaseS) + laterS;
  const paceS = (inPhaseS - inStepS) / part;
  return Math.max(0, paceS * (next - part) - inStepS) + paceS * (1 - next) + laterS;
}

/** Progress as people see it. */
export type Countdown = {
  /** 0 to 1; never goes back. */
  fraction: number;
  secondsLeft: number;
  /** By how many seconds the plan has grown since the beginning. */
  longerS: number;
};

/** An estimate that is this many times what is shown, and this many seconds more, is another plan: it is shown at once. */
const grown = { times: 2, seconds: 5 };

/**
 * The next of what is shown, after an estimate. The time left only falls, slower or faster than the clock, so that it is over
 * when the estimate is: by the same share as the estimate would within those seconds. The bar fills by that share of its rest.
 * Only where the plan has really grown is more time left than before, and how much is counted.
 * @param shown what was shown `sinceS` seconds ago; null at the beginning
 * @param before fraction that was done before it went on
 */
export function countDown(shown: Countdown | null, estimateS: number, sinceS: number, before = 0): Countdown {
  if (shown === null) return { fraction: before, secondsLeft: estimateS, longerS: 0 };
  const share = estimateS <= 0 ? 0 : estimateS / (estimateS + Math.max(0, sinceS));
  const next = shown.secondsLeft * share;
  const fraction = 1 - (1 - shown.fraction) * share;
  const longerS = estimateS - next;
  const hasGrown = longerS > grown.seconds && estimateS > grown.times * next;
  return hasGrown
    ? { fraction, secondsLeft: estimateS, longerS: shown.longerS + longerS }
    : { fraction, secondsLeft: next, longerS: shown.longerS };
}

/** Share done of the steps that remained when a phase began or resumed. */
export function partOf(phase: Phase, done: Done, before: Done): number {
  if (phase.rounds === undefined) return portion(done.steps, phase.steps);
  const known = shareOf(phase, before);
  return known >= 1 ? 1 : (shareOf(phase, done) - known) / (1 - known);
}

/** Share done of all rounds; 0 for a phase without rounds. */
export function shareOf({ rounds, steps }: Pick<Phase, 'rounds' | 'steps'>, done: Done): number {
  return portion(done.rounds + portion(done.steps, steps), rounds);
}

function portion(done: number, of: number | undefined): number {
  return of === undefined || of === 0 ? 0 : Math.min(1, done / of);
}
