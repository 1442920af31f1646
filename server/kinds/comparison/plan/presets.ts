import type { PresetCard } from '../../../../shared/api/server-endpoints.ts';
import { problemAt } from '../../../../shared/base/problem.ts';
import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import { askedOptions, type Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { loadOptions } from '../../../../shared/kinds/comparison/options.ts';
import {
  type RunRequest,
  type RunRequestInput,
  runRequestSchema,
} from '../../../../shared/kinds/comparison/run-request.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import type { Permit } from '../../../../shared/target/permitted-target.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { demandWithin } from './demand-within.ts';
import { compilingOf, longestOfPresetS, mostLaunches, runS, shortestS } from './plan-duration.ts';
import { runArms } from './question.ts';
import { thinkTimeScaleOf } from './think-times.ts';

type Shape = Pick<Plan, 'launches' | 'epochs' | 'lockstepMs' | 'maximumMs' | 'openMs' | 'warmUp'>;

const sampleMs = 1000;

/** The warm-up of a server that compiles nothing at run time. */
const settling: Shape['warmUp'] = { transactions: null, longestMs: 3000 };

/**
 * The unit of an interval is a sample, a second at load. A quick run has two launches, and up to two more until its headline is known to
 * ±5 %, or if they differ by more than their samples allow. A lone user gets about a seventh of the time.
 */
const shapes: Record<Preset, Omit<Shape, 'warmUp'>> = {
  quick: {
    launches: { minimum: 2, maximum: 4 },
    epochs: { minimum: 2, maximum: 2 },
    ...{ lockstepMs: 600, maximumMs: 3000, openMs: null },
  },
  standard: {
    launches: { minimum: 4, maximum: 6 },
    epochs: { minimum: 1, maximum: 2 },
    ...{ lockstepMs: 1200, maximumMs: 6000, openMs: 800 },
  },
  thorough: {
    launches: { minimum: 8, maximum: 12 },
    epochs: { minimum: 1, maximum: 1 },
    ...{ lockstepMs: 3600, maximumMs: 20_000, openMs: 2400 },
  },
};

/** Epochs of a single launch, such as that of a target that is already running: as many as fit into the time. */
const epochsOfOneLaunch: Record<Preset, Plan['epochs']> = {
  quick: { minimum: 4, maximum: 8 },
  standard: { minimum: 6, maximum: 11 },
  thorough: { minimum: 12, maximum: 20 },
};

function shapeOf(request: Pick<RunRequest, 'preset' | 'target' | 'sides'>, steps: number): Shape {
  const { preset, target } = request;
  const needed = compilingOf(request);
  const warmUp =
    needed === null
      ? settling
      : {
          transactions: Math.ceil(needed.requests / Math.max(1, steps)),
          longestMs: needed.longestMs,
        };
  // A server that compiles nothing is measured sooner, and its answers are quicker.
  const isBrief = preset === 'quick' && target.kind !== 'storefront';
  return { ...shapes[preset], ...(isBrief ? { maximumMs: 2500 } : {}), warmUp };
}

/** Of one arm in open load, where a quick run is asked for a rate. */
const quickOpenMs = 400;
const requestTimeoutMs = 5000;

type PlannedByUser = 'target' | 'sides' | Exclude<keyof typeof loadOptions, 'seed' | 'link'>;

/**
 * The plan of a run; its rate is open until it is known what the target manages. Throws invalid_request.
 * @param surroundings cores of this machine, the think times of the scenario's steps, and what allows another host
 */
export function planFor(
  request: Pick<RunRequest, PlannedByUser> & Partial<Pick<RunRequest, 'link'>>,
  seed: number,
  {
    cores = 1,
    thinkTimesMs = [],
    permit = null,
  }: { cores?: number; thinkTimesMs?: readonly number[]; permit?: Permit | null } = {},
): Plan {
  const { ratePerS, rampMs } = request;
  const { startedHere } = factsOf(request.target);
  demandPossible(request, startedHere);
  demandHosts(request, permit);
  const shape = shapeOf(request, thinkTimesMs.length);
  const thinkTimeScale = thinkTimeScaleOf(request.thinkTimeScale, thinkTimesMs);
  const openMs = shape.openMs ?? (ratePerS === null ? null : quickOpenMs);
  const launches = startedHere ? launchesOf(request, shape) : { minimum: 1, maximum: 1 };
  const plan: Plan = structuredClone({
    ...askedIn(request),
    arms: [...runArms],
    seed,
    thinkTimeScale,
    thinkMs: thinkTimesMs.reduce((sum, each) => sum + Math.round(each * thinkTimeScale), 0),
    ...generatorsOf(request, cores, permit),
    requestTimeoutMs,
    ...(permit === null
      ? { ratePerS }
      : { permit, ratePerS: ratePerS ?? halfOf(permit, thinkTimesMs.length) }),
    ...{ ...shape, sampleMs, launches },
    epochs: launches.maximum === 1 ? epochsOf(request) : shape.epochs,
    openMs: openMs === null ? null : openMs + rampMs,
    longestS: longestS(request),
  });
  // More launches than the preset's time holds were asked for: then they take theirs.
  const asked = startedHere ? (request.launches ?? 0) : 0;
  const whole = { ...plan, longestS: Math.max(plan.longestS, runS(plan, asked)) };
  demandTime(whole);
  demandWithin(whole, thinkTimesMs.length);
  return whole;
}

function askedIn(request: Pick<RunRequest, PlannedByUser>): Pick<RunRequest, keyof typeof askedOptions> {
  const names = Object.keys(askedOptions) as (keyof typeof askedOptions)[];
  return Object.fromEntries(names.map((name) => [name, request[name]])) as Pick<
    RunRequest,
    (typeof names)[number]
  >;
}

/** In open load without a rate, half of what the host is allowed. */
function halfOf({ caps }: Permit, steps: number): number {
  return caps.requestsPerS / (2 * Math.max(1, steps));
}

/** Time for the fewest launches, if a time was asked for. */
function demandTime(plan: Plan): void {
  const fewestS = Math.ceil(shortestS(plan));
  if (plan.atMostS === null || plan.atMostS >= fewestS) return;
  throw problemAt('invalid_request', 'atMostS', `the shortest run of this takes about ${fewestS} s`);
}

/** With a precision, as many as the time holds. */
const mostLaunchesOfRun = 50;

function launchesOf(
  { launches: asked, precision }: Pick<RunRequest, 'launches' | 'precision'>,
  { launches }: Shape,
): Plan['launches'] {
  if (asked !== null) return { minimum: asked, maximum: asked };
  return precision === null ? launches : { ...launches, maximum: mostLaunchesOfRun };
}

function epochsOf({ preset, precision }: Pick<RunRequest, 'preset' | 'precision'>): Plan['epochs'] {
  const epochs = epochsOfOneLaunch[preset];
  return precision === null ? epochs : { ...epochs, maximum: epochsPerLaunch * mostLaunchesOfRun };
}

const epochsPerLaunch = 4;

/** Longest time for a precision, in s. A tighter one has 15 minutes. */
const longestForPrecision = [
  { precision: 0.05, s: 60 },
  { precision: 0.02, s: 240 },
];
const longestOfAllS = 900;

function longestS({
  preset,
  precision,
  atMostS,
}: Pick<RunRequest, 'preset' | 'precision' | 'atMostS'>): number {
  if (atMostS !== null) return atMostS;
  if (precision === null) return longestOfPresetS[preset];
  const fitting = longestForPrecision.find((each) => precision >= each.precision)?.s ?? longestOfAllS;
  return Math.max(fitting, longestOfPresetS[preset]);
}

function demandPossible(request: Pick<RunRequest, PlannedByUser>, startedHere: boolean): void {
  const { launches, pairUsers, users, generators, findLoad } = request;
  if (!startedHere && launches !== null && launches > 1) {
    throw problemAt('invalid_request', 'launches', 'a target that is already running has one launch');
  }
  if (users !== null && pairUsers > users) {
    throw problemAt(
      'invalid_request',
      'pairUsers',
      `${pairUsers} pair users need as many users, but there are ${users}`,
    );
  }
  if (users !== null && findLoad) {
    throw problemAt(
      'invalid_request',
      'findLoad',
      'a number of users was given, so there is no load to find',
    );
  }
  if (launches !== null && request.precision !== null) {
    throw problemAt(
      'invalid_request',
      'precision',
      'the number of launches was given, so no precision can end the run',
    );
  }
  const ofHost = request.generatorHosts ?? request.generatorPods;
  if (users !== null && generators !== null && ofHost === undefined && users % generators !== 0) {
    throw problemAt(
      'invalid_request',
      'generators',
      `${generators} generator processes cannot share ${users} users evenly`,
    );
  }
}

/** Hosts load what is on another one, each with a connection at least. */
function demandHosts(
  {
    generatorHosts,
    generatorPods,
    users,
    link,
  }: Pick<RunRequest, PlannedByUser> & Partial<Pick<RunRequest, 'link'>>,
  permit: Permit | null,
): void {
  const hosts = generatorHosts ?? generatorPods;
  if (hosts === undefined) return;
  const field = generatorHosts === undefined ? 'generatorPods' : 'generatorHosts';
  if (generatorHosts !== undefined && generatorPods !== undefined) {
    throw problemAt('invalid_request', 'generatorPods', 'a run takes generator hosts or pods, not both');
  }
  if (permit === null) {
    throw problemAt(
      'invalid_request',
      field,
      'generator hosts load a target on another host: one on loopback, or started here, would be each host itself',
    );
  }
  if (link !== undefined) {
    throw problemAt(
      'invalid_request',
      field,
      'a link begins on this machine, so it cannot be in front of generator hosts',
    );
  }
  if ((users ?? usualUsers) < hosts) {
    throw problemAt(
      'invalid_request',
      field,
      `${hosts} hosts need a user each, but there are ${users ?? usualUsers} users`,
    );
  }
}

/** Per second, that one keeps up with, even with new TLS connections on few cores. More would only divide the rate of a lone user. */
const requestsOfProcess = 1000;

function generatorsOf(
  { users, pairUsers, generators, generatorHosts, generatorPods }: Pick<RunRequest, PlannedByUser>,
  cores: number,
  permit: Permit | null,
): Pick<Plan, 'generators' | 'generatorHosts' | 'generatorPods'> {
  const hosts = generatorHosts ?? generatorPods;
  if (hosts !== undefined) {
    const most = Math.max(1, Math.floor((users ?? usualUsers) / pairUsers / hosts));
    const needed = Math.ceil((permit?.caps.requestsPerS ?? 1) / hosts / requestsOfProcess);
    return {
      ...{ generators: Math.min(most, generators ?? needed), generatorHosts: hosts },
      ...(generatorPods === undefined ? {} : { generatorPods }),
    };
  }
  // Another host’s rate is kept by one process.
  if (permit !== null) return { generators: 1 };
  const wanted = generators ?? generatorsFor(cores);
  return {
    generators: users === null ? wanted : sharedBy(users, Math.min(wanted, Math.floor(users / pairUsers))),
  };
}

/** Number of processes, at most `most`, that divides the users evenly, because a process with fewer users would idle. */
function sharedBy(users: number, most: number): number {
  let processes = Math.max(1, most);
  while (users % processes !== 0) processes--;
  return processes;
}

/** A third of the cores, as the target needs at least as many and this server one; on small machines one process. */
function generatorsFor(cores: number): number {
  return Math.min(8, Math.max(1, Math.floor(cores / 3)));
}

/**
 * `detectable` is what a preset can tell from nothing: about twice the half-width of CPU per transaction on a machine of two
 * cores with nothing else to do (quick ±2 to ±10 %, standard ±1.1 %). Thorough is standard’s, narrowed by the root of its launches.
 */
export const presetCards: PresetCard[] = [
  cardOf('quick', 'Quick', 0.1, 'A first answer: CPU to ±5 %, within a minute.'),
  cardOf('standard', 'Standard', 0.03, 'Intervals narrow enough to quote, and latency under load.'),
  cardOf('thorough', 'Thorough', 0.02, 'Small effects, tails and memory growth, in ten minutes.'),
];

function cardOf(preset: Preset, title: string, detectable: number, note: string): PresetCard {
  const here = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const byTarget = {
    managed: timesOf({ preset, target: 'nginx' }),
    origins: timesOf({ preset, target: here }),
  };
  return { preset, title, ...timesOf({ preset }), byTarget, detectable, note };
}

type Times = { expectedS: number; maximumS: number };

function timesOf(asked: RunRequestInput): Times {
  const plan = planFor(runRequestSchema.parse(asked), 0);
  const expectedS = Math.min(plan.longestS, runS(plan, mostLaunches(plan)));
  return { expectedS: Math.round(expectedS), maximumS: plan.longestS };
}
