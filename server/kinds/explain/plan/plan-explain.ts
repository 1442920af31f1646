import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { explainArms, samplesPerS } from '../../../../shared/kinds/explain/explain.ts';
import type { Explained } from '../../../../shared/kinds/explain/explained.ts';
import { storefront } from '../../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import type { Target } from '../../../../shared/target/target.ts';

export const requestTimeoutMs = 5000;
/** Of a launch: until it is warm at the latest, without a recording, and with it. */
export type ExplainTimes = { warmUpMs: number; plainMs: number; recordedMs: number };
export const usualTimes: ExplainTimes = { warmUpMs: 1200, plainMs: 800, recordedMs: 2000 };
/** Starting the server and perf, and reading what it recorded. */
const aroundS = 1.5;
const warmUpS = 1.5;

/** They compile what runs often, and take longer until they are warm. */
const compilers: readonly string[] = ['node', 'jdk', storefront];
const compilingFactor = 4;

function warmUpFactor(target: Target): number {
  return compilers.includes(target.kind === 'managed' ? target.server : target.kind) ? compilingFactor : 1;
}

/** What warming up and finding a load take of a plan. */
export function loadPlanOf({ users, load, target }: Explained, times: ExplainTimes) {
  const factor = warmUpFactor(target);
  return {
    arms: explainArms,
    ...{ users: load?.users ?? users, generators: 1, maximumMs: usualTimes.recordedMs },
    ...{ thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { transactions: null, longestMs: factor * times.warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

/** CPU of perf per sample that it finds the callers of, and to read the symbols of the programs. Source: 522 samples of nginx, 1.6 s. */
const readingMs = { sample: 3, symbols: 1000 };

/** The first launch also finds the load, which takes up to 4 s. */
const findingS = 4;

/**
 * Expected times. Most of a launch is reading its samples: one core of the server at full load, `samplesPerS` times per second of the recording,
 * because the sides take turns.
 */
export function explainPhases(
  launches: number,
  { target, users, load }: Pick<Explained, 'target' | 'users' | 'load'>,
): Phase<'preparing' | 'measuring'>[] {
  const { plainMs, recordedMs } = usualTimes;
  const samples = (samplesPerS * recordedMs) / 1000;
  const readingS = (readingMs.symbols + readingMs.sample * samples) / 1000;
  const launchS = aroundS + warmUpFactor(target) * warmUpS + (plainMs + recordedMs) / 1000 + readingS;
  const isFound = users === null && load == null;
  return [
    { name: 'preparing', seconds: 2 },
    { name: 'measuring', seconds: launches * launchS + (isFound ? findingS : 0), rounds: launches },
  ];
}
