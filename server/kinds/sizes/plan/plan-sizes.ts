import type { SizesRequest } from '../../../../shared/size-sweep.ts';

/** Of one visit: one size over http, one suite and the http twin, in lockstep, a few dozen requests. */
export const visitMs = 12;
/** Of a size before the first round, in which its document is also looked at. */
export const firstVisitMs = 60;
/** Readings and messages around a visit. */
const edgesMs = 2;
/** Starting the servers, and opening connections. */
const startS = 2;
/** Long beside the moments in which a neighbor slows a core: rounds are what the intervals come from. */
const usualRoundMs = 5000;
/** So that a size has enough requests in every round, however many sizes there are. */
const fewestPasses = 3;

/** Whether a round goes on: the CPU of a server with many threads takes longer to read, and a busy machine is slower. */
export function wantsPass(done: number, places: number, elapsedMs: number): boolean {
  return done < fewestPasses || (done < passesOfRound(places) && elapsedMs < usualRoundMs);
}

/** @param places sizes times suites */
export function passesOfRound(places: number): number {
  return Math.max(fewestPasses, Math.round(usualRoundMs / (places * (visitMs + edgesMs))));
}

export function visitsOfRound({ sizes, suites }: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  const places = sizes.length * suites.length;
  return places * passesOfRound(places);
}

/** What differs between launches is in the intervals only if rounds have launches of their own. Servers that stand have one. */
export function roundsOfLaunch({ target }: Pick<SizesRequest, 'target'>): number {
  return target.kind === 'managed' ? 1 : Number.POSITIVE_INFINITY;
}

export function roundS(request: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  return (visitsOfRound(request) * (visitMs + edgesMs)) / 1000;
}

/** From the start of the first servers to the last round. */
export function sweepS(request: SizesRequest, rounds = request.rounds): number {
  const launches = Math.ceil(rounds / Math.min(rounds, roundsOfLaunch(request)));
  return launches * warmUpS(request) + rounds * roundS(request);
}

export function warmUpS({ sizes, suites }: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  return suites.length * (startS + (sizes.length * (firstVisitMs + edgesMs)) / 1000);
}
