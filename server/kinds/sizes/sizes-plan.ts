import { describeSuite, suiteNames } from '../../../shared/base/cipher-suites.ts';
import { problemAt } from '../../../shared/base/problem.ts';
import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { SizesPhase } from '../../../shared/kinds/sizes/size-progress.ts';
import type { SizesRequest } from '../../../shared/kinds/sizes/sizes.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';

export const sizesAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Time of one visit by one user: one size over http, one suite and the http twin, in lockstep, a few dozen requests. */
export const visitMs = 12;

/** At load: as many as comparisons have by default. */
export const loadUsers = 8;

/** Time per arm in a visit at load, if four transactions of a user take no longer. */
export const burstMs = 20;

/** However long a transaction takes. */
export const longestBurstMs = 500;

const armsOfVisit = 3;

/** Visits by one user for each at load, which takes two thirds of the time: CPU is what its figures are for. */
export const loneVisits = 2;

/** Readings and messages around a visit by one user, and around each burst. */
const edgesMs = 2;

/** Starting the servers, and opening connections. */
const startS = 2;

/** Long beside the moments in which a neighbor slows a core: rounds are what the intervals come from. */
export const usualRoundMs = 5000;

/** Time per size: all its visits in one turn of a round. */
const turnMs = loneVisits * (visitMs + edgesMs) + armsOfVisit * (burstMs + edgesMs);

/** Whether a round goes on: the CPU of a server with many threads takes longer to read, and a busy machine is slower. */
export function wantsTurn(done: number, places: number, elapsedMs: number, roundMs = usualRoundMs): boolean {
  return done < 1 || (done < turnsOfRound(places) && elapsedMs < roundMs);
}

/** Each passes over all sizes: by one user, and then at load. @param places sizes times suites */
export function turnsOfRound(places: number): number {
  return Math.max(1, Math.round(usualRoundMs / (places * turnMs)));
}

function visitsOfRound({ sizes, suites }: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  const places = sizes.length * suites.length;
  return places * turnsOfRound(places) * (loneVisits + 1);
}

/** Intervals contain the variance between launches only if rounds have launches of their own. A running server has one launch. */
export function roundsOfLaunch({ target }: Pick<SizesRequest, 'target'>): number {
  return target.kind === 'managed' ? 1 : Number.POSITIVE_INFINITY;
}

function roundS({ sizes, suites }: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  const places = sizes.length * suites.length;
  return (turnsOfRound(places) * places * turnMs) / 1000;
}

/** From the start of the first servers to the last round. */
export function sizesS(request: SizesRequest, rounds = request.rounds): number {
  const launches = Math.ceil(rounds / Math.min(rounds, roundsOfLaunch(request)));
  return launches * warmUpS(request) + rounds * roundS(request);
}

/** @param roundsBefore that were measured before it went on */
export function sizesPhases(request: SizesRequest, roundsBefore: number): Phase<SizesPhase>[] {
  const { rounds } = request;
  const first = warmUpS(request);
  const seconds = sizesS(request, rounds - roundsBefore) - first;
  return [
    { name: 'warm-up', seconds: first, steps: visitsOfRound(request) },
    { name: 'measuring', seconds, steps: visitsOfRound(request), rounds },
  ];
}

/** Every size is visited at load before the first round. */
function warmUpS({ sizes, suites }: Pick<SizesRequest, 'sizes' | 'suites'>): number {
  return suites.length * (startS + (sizes.length * armsOfVisit * (burstMs + edgesMs)) / 1000);
}

/** One request for a document; the rows of its data are the sizes. */
export function sizeScenario(sizes: readonly number[]): Scenario {
  return scenarioSchema.parse({
    name: 'Documents',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
    steps: [{ name: 'document', method: 'GET', path: '/${size}.html' }],
    data: { columns: ['size'], rows: sizes.map((size) => [String(size)]) },
  });
}

/** Throws invalid_request for what cannot be measured, before anything is started. */
export function demandPossible({ target, suites }: SizesRequest): void {
  if (target.kind === 'storefront') {
    throw problemAt(
      'invalid_request',
      'target',
      'the storefront has no documents of given sizes; choose a server such as nginx',
    );
  }
  if (target.kind === 'origins' && (target.agent ?? target.prometheus) !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.agent',
      'a sweep over sizes reads this machine only; leave the agent out, or run a comparison',
    );
  }
  for (const [index, suite] of suites.entries()) {
    if (suite !== null) demandSuite(suite, index, target.kind === 'managed' ? target.key : null);
  }
}

function demandSuite(suite: string, index: number, key: string | null): void {
  if (!suiteNames.includes(suite))
    throw problemAt('invalid_request', `suites.${index}`, `“${suite}” is not a cipher suite`);
  const { authentication, versions } = describeSuite(suite);
  if (!versions.includes('TLSv1.2') && !versions.includes('TLSv1.3')) {
    throw problemAt(
      'invalid_request',
      `suites.${index}`,
      `${suite} needs a TLS version that is not offered here`,
    );
  }
  if (key === null || authentication === 'any') return;
  const fits = key.startsWith(authentication === 'ECDSA' ? 'P-' : 'RSA-');
  if (!fits)
    throw problemAt(
      'invalid_request',
      `suites.${index}`,
      `${suite} needs ${authentication === 'RSA' ? 'an RSA' : 'a P-256 or P-384'} key`,
    );
}
