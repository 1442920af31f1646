import { problem, problemAt } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { askedOptions, type Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  type Length,
  lengthNames,
  lengths,
  type loadOptions,
} from '../../../shared/kinds/comparison/options.ts';
import { problemsOfSides, type RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { usualUsers } from '../../../shared/measurement/load-options.ts';
import type { Permit } from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { runArms } from './metric-readings.ts';
import { compilingOf, runS, shortestS, thinkTimeScaleOf } from './plan-duration.ts';

type Shape = Pick<Plan, 'epochs' | 'lockstepMs' | 'maximumMs' | 'openMs' | 'warmUp'>;

const sampleMs = 1000;

/** The warm-up of a server that compiles nothing at run time. */
const settling: Shape['warmUp'] = { transactions: null, longestMs: 3000 };

/** The unit of an interval is a sample, a second at load. A lone user gets about a seventh of the time. */
const shapes: Record<Length, Pick<Shape, 'epochs' | 'lockstepMs' | 'maximumMs' | 'openMs'>> = {
  first: { epochs: { minimum: 2, maximum: 2 }, lockstepMs: 600, maximumMs: 3000, openMs: null },
  quote: { epochs: { minimum: 1, maximum: 2 }, lockstepMs: 1200, maximumMs: 6000, openMs: 800 },
  fine: { epochs: { minimum: 1, maximum: 1 }, lockstepMs: 3600, maximumMs: 20_000, openMs: 2400 },
};

/** Launches of a target that is started here: how processes differ has to be seen, the better the finer the figure. */
const fewestLaunches: Record<Length, number> = { first: 2, quote: 3, fine: 4 };
/** Epochs of a single launch, however long they take: an interval needs three, and one may be spoiled. */
const fewestEpochs = 4;
/** The time ends a run first. */
const mostLaunches = 50;

function shapeOf(
  request: Pick<RunRequest, 'length' | 'target' | 'sides'> & PrecisionAsked,
  steps: number,
): Shape {
  const length = lengthInShape(request);
  const needed = compilingOf(request);
  const warmUp =
    needed === null
      ? settling
      : {
          transactions: Math.ceil(needed.requests / Math.max(1, steps)),
          longestMs: needed.longestMs,
        };
  // A server that compiles nothing is measured sooner, and its answers are quicker.
  const isBrief = length === 'first' && request.target.kind !== 'storefront';
  return { ...shapes[length], ...(isBrief ? { maximumMs: 2500 } : {}), warmUp };
}

/** A precision or a time that a first answer does not have is asked for a figure to quote. */
const [coarsestToQuote, longestFirstS] = [0.025, 120];

function lengthInShape({ length, precision, atMostS }: PrecisionAsked): Length {
  const isLonger = (precision ?? 1) < coarsestToQuote || (atMostS ?? 0) > longestFirstS;
  return length === 'first' && isLonger ? 'quote' : length;
}

/** Open load of one arm, if a first answer has a rate. */
const briefOpenMs = 400;
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
  const openMs = shape.openMs ?? (ratePerS === null ? null : briefOpenMs);
  const launches = startedHere ? launchesOf(request) : { minimum: 1, maximum: 1 };
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
    epochs:
      launches.maximum === 1 ? { minimum: fewestEpochs, maximum: fewestEpochs * mostLaunches } : shape.epochs,
    openMs: openMs === null ? null : openMs + rampMs,
    longestS: longestS(request),
  });
  // More launches than the length's time holds were asked for: then they take theirs.
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

type PrecisionAsked = Pick<RunRequest, 'length' | 'precision' | 'atMostS'>;

function launchesOf(request: PrecisionAsked & Pick<RunRequest, 'launches'>): Plan['launches'] {
  const { launches: asked } = request;
  if (asked !== null) return { minimum: asked, maximum: asked };
  return { minimum: fewestLaunches[lengthInShape(request)], maximum: mostLaunches };
}

/** A precision that is asked for has at least the time of the length that reaches it. */
function longestS({ length, precision, atMostS }: PrecisionAsked): number {
  if (atMostS !== null) return atMostS;
  const reaching = lengthNames.find((name) => (precision ?? 1) >= lengths[name].precision) ?? 'fine';
  return Math.max(lengths[reaching].atMostS, lengths[length].atMostS);
}

function demandPossible(request: Pick<RunRequest, PlannedByUser>, startedHere: boolean): void {
  const { launches, pairUsers, users, generators, findLoad } = request;
  if (!startedHere && launches !== null && launches > 1) {
    throw problemAt(
      'invalid_request',
      'launches',
      'a target that is already running is not started, so its starts cannot be chosen',
    );
  }
  if (users !== null && pairUsers > users) {
    throw problemAt(
      'invalid_request',
      'pairUsers',
      `${pairUsers} users who alternate need as many users, but there are ${users}`,
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
      'the number of starts was given, so no precision can end the run',
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

/** Throws invalid_request for a plan that asks more of a target on another host than somebody has allowed. */
export function demandWithin(plan: Plan, steps: number): void {
  const { permit, ratePerS, longestS } = plan;
  if (permit === undefined) return;
  const users = plan.users ?? usualUsers;
  const { host, caps } = permit;
  const all = plan.arms.length * users;
  if (all > caps.connections) {
    throw problemAt(
      'invalid_request',
      'users',
      `${users} users on each side and on the control make ${all} connections, but ${host} is allowed ${caps.connections}. Use fewer users, or raise the limit at /targets.`,
    );
  }
  if (ratePerS !== null && ratePerS * steps > caps.requestsPerS) {
    throw problemAt(
      'invalid_request',
      'ratePerS',
      `${printNumber(ratePerS * steps, 0)} requests per second were asked for, but ${host} is allowed ${caps.requestsPerS}. Lower the rate, or raise the limit at /targets.`,
    );
  }
  if (longestS > caps.minutes * 60) {
    throw problemAt(
      'invalid_request',
      'length',
      `The run may take ${Math.ceil(longestS / 60)} minutes, but ${host} is allowed ${caps.minutes}. Choose a shorter plan, or raise the limit at /targets.`,
    );
  }
}

/** Throws invalid_request where a side asks for what its target cannot have. */
export function demandSides(request: Pick<RunRequest, 'sides' | 'tls' | 'target'>): void {
  const errors = problemsOfSides(request);
  const [first] = errors;
  if (first === undefined) return;
  throw problem('invalid_request', { detail: `${first.field}: ${first.message}.`, errors });
}
