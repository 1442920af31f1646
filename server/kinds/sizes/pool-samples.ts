import { describeSuite, suiteNames } from '../../../shared/base/cipher-suites.ts';
import type { Estimate } from '../../../shared/base/estimate.ts';
import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import { problemAt } from '../../../shared/base/problem.ts';
import { printChangeInterval, printShare } from '../../../shared/base/quantity.ts';
import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { SizesPhase } from '../../../shared/kinds/sizes/size-progress.ts';
import type {
  RoundPoint,
  SizeArm,
  SizeRound,
  SizesDocument,
  SizesRequest,
  TwinRatios,
} from '../../../shared/kinds/sizes/sizes.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type Column, type Table, tableOf } from '../../base/text/terminal.ts';
import { launchInterval, quantileOfSorted, toSorted } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';

/** One short visit to one size. */
type Visit<Part> = {
  size: number;
  /** Index of the suite in the request. */
  suite: number;
  arms: Record<Arm, Part>;
};

/** By one user: what its requests took. */
export type LoneSample = Visit<{ timesUs: number[] }>;

/** By all users in bursts: what they cost. */
export type LoadSample = Visit<{
  transactions: number;
  /** Null where it cannot be read. */
  cpuUs: number | null;
  elapsedUs: number;
}>;

export type RoundSamples = { lone: readonly LoneSample[]; atLoad: readonly LoadSample[] };

/** The points of a round: all requests of a size over an arm together. The twin is http as well, and so is every suite's. */
export function poolSamples({ lone, atLoad }: RoundSamples): RoundPoint[] {
  const bursts = groupsOf(atLoad);
  return [...groupsOf(lone)].flatMap(([key, times]) => {
    const [first] = times;
    return first === undefined ? [] : [pointOf(first.size, first.arm, times, bursts.get(key) ?? [])];
  });
}

/** By size and arm. */
function groupsOf<Part>(visits: readonly Visit<Part>[]) {
  const parts = visits.flatMap(({ size, suite, arms: measured }) =>
    (Object.entries(measured) as [Arm, Part][]).map(([arm, part]) => ({
      ...{ size, arm: arm === 'comparison' ? suite : ('http' as const) },
      ...part,
    })),
  );
  return Map.groupBy(parts, ({ size, arm }) => `${size} ${arm}`);
}

/** All requests of a size over an arm together. */
function pointOf(
  size: number,
  arm: SizeArm,
  lone: readonly LoneSample['arms'][Arm][],
  bursts: readonly LoadSample['arms'][Arm][],
): RoundPoint {
  const times = toSorted(lone.flatMap(({ timesUs }) => timesUs));
  const transactions = sumOf(bursts.map((burst) => burst.transactions));
  const known = bursts.flatMap(({ cpuUs }) => cpuUs ?? []);
  const cpuUs = known.length < bursts.length || transactions === 0 ? null : sumOf(known);
  const elapsedUs = sumOf(bursts.map((burst) => burst.elapsedUs));
  return {
    ...{ size, arm, transactions: times.length },
    medianUs: quantileOfSorted(times, 0.5),
    p2_5: quantileOfSorted(times, 0.025),
    p12_5: quantileOfSorted(times, 0.125),
    p87_5: quantileOfSorted(times, 0.875),
    p97_5: quantileOfSorted(times, 0.975),
    cpuUs: cpuUs === null ? null : cpuUs / transactions,
    atLoad: { transactions, busyCores: cpuUs === null ? null : cpuUs / elapsedUs },
  };
}

/** Of a round: what the twin took at each size by what the baseline took, over all sizes. */
export function twinRatios({ lone, atLoad }: RoundSamples): TwinRatios {
  const bursts = Map.groupBy(atLoad, ({ size }) => size);
  const pairs = [...Map.groupBy(lone, ({ size }) => size)].map(([size, times]) => {
    const of = (arm: Arm) =>
      pointOf(
        size,
        'http',
        times.map(({ arms }) => arms[arm]),
        (bursts.get(size) ?? []).map(({ arms }) => arms[arm]),
      );
    return { baseline: of('baseline'), twin: of('twin') };
  });
  const over = (read: (point: RoundPoint) => number | null): number | null => {
    const logs = pairs.flatMap(({ baseline, twin }) => {
      const [one, other] = [read(baseline), read(twin)];
      return one !== null && other !== null && one > 0 && other > 0 ? [Math.log(other / one)] : [];
    });
    return logs.length === 0 ? null : Math.exp(meanOf(logs));
  };
  return { latency: over(({ medianUs }) => medianUs), cpu: over(({ cpuUs }) => cpuUs) };
}

type SizeQuantity = keyof TwinRatios;

/** Over the launches, or over the rounds of one. Null with fewer than three. */
export function twinRatioOf(
  quantity: SizeQuantity,
  rounds: readonly SizeRound[],
  confidence = 0.95,
): Estimate | null {
  const interval = launchInterval(
    rounds.flatMap(({ twin, launch }) => {
      const ratio = twin[quantity];
      return ratio === null ? [] : [{ launch, value: Math.log(ratio) }];
    }),
    confidence,
  );
  return mapEstimate(interval, Math.exp);
}

/** Two processes of the same code may differ by this much. */
const toleratedTwin = 0.01;

/** Why the two http listeners are not alike enough to say what HTTPS costs; null where they are. */
export function twinRefusal(rounds: readonly SizeRound[]): string | null {
  const ratio = twinRatioOf('latency', rounds, 0.99);
  if (ratio === null || (ratio.lo <= 1 && ratio.hi >= 1)) return null;
  const difference = Math.abs(ratio.center - 1);
  if (difference <= toleratedTwin) return null;
  return `Two identical listeners differ by ${printShare(difference)} in latency (99 % CI ${printChangeInterval(ratio)}), so this sweep cannot say what HTTPS costs. Run it again.`;
}

export const sizesAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Of one visit by one user: one size over http, one suite and the http twin, in lockstep, a few dozen requests. */
export const visitMs = 12;
/** At load: as many as comparisons have by default. */
export const loadUsers = 8;
/** Of each arm in a visit at load, where four transactions of a user take no longer. */
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

/** Of a size: all its visits in one turn of a round. */
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

/** What differs between launches is in the intervals only if rounds have launches of their own. Servers that stand have one. */
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

/** One row a visit: a size over an arm in a round, numbers as they were measured. */
export function visitRows(document: SizesDocument): Table {
  const suites = new Map(
    document.arms.map(({ arm, suite, negotiated }) => [arm, suite ?? negotiated?.cipher]),
  );
  const { id, load, rounds } = document;
  const visits = rounds.flatMap((round) =>
    round.points.map((point) => ({
      id,
      users: load?.users ?? 1,
      round,
      point,
      suite: suites.get(point.arm),
    })),
  );
  return tableOf(columns, visits);
}

type RowsVisit = {
  id: string;
  /** That CPU was read under. */
  users: number;
  round: SizeRound;
  point: RoundPoint;
  suite: string | undefined;
};

const columns: Column<RowsVisit>[] = [
  { name: 'measurement_id', read: ({ id }) => id },
  { name: 'round', read: ({ round }) => round.round },
  { name: 'launch', read: ({ round }) => round.launch },
  { name: 'size_bytes', read: ({ point }) => point.size },
  { name: 'transport', read: ({ point }) => (point.arm === 'http' ? 'http' : 'https') },
  { name: 'cipher', read: ({ suite }) => suite },
  { name: 'transactions', read: ({ point }) => point.transactions },
  { name: 'latency_p2_5_us', read: ({ point }) => point.p2_5 },
  { name: 'latency_p12_5_us', read: ({ point }) => point.p12_5 },
  { name: 'latency_median_us', read: ({ point }) => point.medianUs },
  { name: 'latency_p87_5_us', read: ({ point }) => point.p87_5 },
  { name: 'latency_p97_5_us', read: ({ point }) => point.p97_5 },
  { name: 'server_cpu_us', read: ({ point }) => point.cpuUs },
  { name: 'cpu_users', read: ({ users }) => users },
  { name: 'cpu_transactions', read: ({ point }) => point.atLoad.transactions },
  { name: 'cpu_busy_cores', read: ({ point }) => point.atLoad.busyCores },
  { name: 'aside_share', read: ({ round }) => round.asideShare },
  { name: 'host_steal_ratio', read: ({ round }) => round.machine?.stealRatio },
  { name: 'host_foreign_ratio', read: ({ round }) => round.machine?.foreignRatio },
];

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
