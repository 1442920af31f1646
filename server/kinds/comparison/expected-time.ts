import { flagsOf, quoted } from '../../../shared/base/option.ts';
import { type BySide, sideNames, type Transport } from '../../../shared/base/transport.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  lengthNames,
  lengths,
  otherOptions,
  planOptions,
  sideOptions,
} from '../../../shared/kinds/comparison/options.ts';
import type { Phase } from '../../../shared/kinds/comparison/run.ts';
import { type RunRequest, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import type { ExpectedTime } from '../../../shared/results/summary.ts';
import { pathsOf, type Scenario } from '../../../shared/scenario/scenario.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { secretsOf } from '../../intake/scenario/secrets.ts';
import { studentQuantile } from '../../method/statistics/distributions.ts';
import { median } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { fewestSamples } from '../../method/statistics/pool-runs.ts';
import {
  analysisS,
  beforeEpochsS,
  epochS,
  launchS,
  type Pace,
  runS,
  startS,
  warmUpS,
} from './plan-duration.ts';
import type { RunRecord } from './run-connections.ts';
import { planFor } from './run-plan.ts';
import { movesBetweenRuns, shippedBetweenRuns } from './run-pool.ts';

/** The command that repeats a run: same target, plan and order of blocks. */
export function commandOf({
  request,
  plan,
  scenario,
}: Pick<RunRecord, 'request' | 'plan' | 'scenario'>): string {
  const { target } = request;
  const planned = { ...request, length: plan.length, seed: plan.seed };
  const words = ['npx tls-toll compare', ...flagsOf(planOptions, planned)];
  const { options, processOptions } = factsOf(target);
  words.push(...options, ...processOptions);
  words.push(...ofSides(request));
  if (request.scenario !== null) words.push(...scenarioOptions(scenario));
  for (const name of secretsOf(scenario)) words.push(`--secret ${name}=${name.toUpperCase()}`);
  return [...words, ...flagsOf(shapeOptions, request)].join(' ');
}

/** Options of each side. */
function ofSides({ sides }: RunRequest): string[] {
  const own = sideNames.flatMap((side) => {
    const { name, transport, target = {} } = sides[side];
    const spoken = transport === usual[side] ? [] : [`--${side} ${transport}`];
    return [
      ...(target.origin === undefined ? spoken : [`--${side} ${target.origin}`]),
      ...(name === undefined ? [] : [`--${side}-name '${name.replaceAll("'", "'\\''")}'`]),
      ...(target.server === undefined ? [] : [`--${side}-server ${target.server}`]),
      ...(target.ca === undefined ? [] : [`--${side}-ca ca.pem`]),
      ...(target.clientCertificate === undefined
        ? []
        : [`--${side}-client-cert client.pem --${side}-client-key client.key`]),
      ...(target.pid === undefined ? [] : [`--${side}-pid ${target.pid}`]),
    ];
  });
  const isNoiseCheck = own.join(' ') === '--comparison http';
  return [...(isNoiseCheck ? ['--noise-check'] : own), ...flagsOf(sideOptions, { sides })];
}

const usual: BySide<Transport> = { baseline: 'http', comparison: 'https' };

/** Options of the run, without those of a server, which belong to the target. */
const shapeOptions = otherOptions.filter(({ part }) => part !== 'target');

function scenarioOptions(scenario: Scenario): string[] {
  const paths = pathsOf(scenario);
  if (paths !== null) return paths.map((path) => `--path ${quoted(path)}`);
  return [`--scenario ${scenario.id ?? 'scenario.json'}`];
}

/** Time left until a run's verdict, by the rules that decide how many launches and epochs it has. */

/** Check of both sides, once they have started. */
const checkS = 0.4;

/** Progress of a run: finished parts, and the current part with its time. */
export type Position = SoFar & {
  phase: Phase;
  pace: Pace;
  inPhaseS: number;
  /** Whether the launch under way is warmed up. */
  isWarm: boolean;
  /** Since the epoch under way, or the start of the launch, began. */
  inStepS: number;
  /** Whether an earlier run of the same question found the load. */
  knowsLoad: boolean;
  /** Launches, or epochs of a single one, after which the headline is expected to be known. */
  stopsAt: number;
};

type Expected = {
  secondsLeft: number;
  launches: number;
  /** Epochs of the current launch, or of the next. */
  epochs: number;
};

export function expectRest(plan: Plan, position: Position): Expected {
  const pace = paceBy(plan, position);
  const first = firstPhases(plan, pace, position.knowsLoad);
  const at = first.findIndex(({ name }) => name === position.phase);
  const before = first
    .slice(Math.max(0, at))
    .map(({ seconds }, index) => Math.max(0, seconds - (index === 0 ? position.inPhaseS : 0)));
  switch (position.phase) {
    case 'measuring': {
      const { measuringS, ...counts } = expectLaunches(plan, pace, position);
      return { ...counts, secondsLeft: measuringS + analysisS };
    }
    case 'analyzing':
      return { ...countsOf(position), secondsLeft: Math.max(0, analysisS - position.inPhaseS) };
    default:
      return expectAll(plan, pace, position, sumOf(before));
  }
}

/** Before the first epoch. */
function expectAll(plan: Plan, pace: Pace, position: Position, beforeS: number): Expected {
  const elapsedS = position.elapsedS + beforeS;
  const start = { elapsedS, launchElapsedS: elapsedS, isWarm: true, inStepS: 0 };
  const { measuringS, ...counts } = expectLaunches(plan, pace, { ...position, ...start });
  return { ...counts, secondsLeft: beforeS + measuringS + analysisS };
}

/** The launches that are still to come, one after the other, each decision as the run will take it. */
function expectLaunches(
  plan: Plan,
  pace: Pace,
  position: Position,
): Omit<Expected, 'secondsLeft'> & {
  measuringS: number;
} {
  const [beforeS, stepS] = [beforeEpochsS(plan, pace), epochS(plan, pace)];
  const isSingle = plan.launches.maximum === 1;
  const mayStop = (done: number) => done >= position.stopsAt;
  // From the last decision on: what goes on takes at least what it has taken.
  let soFar: SoFar = pass(position, -position.inStepS);
  let stepFromS = position.inStepS;
  let epochs: number | null = null;
  const isOver =
    !position.isWarm && soFar.launchesDone > 0 && !wantsLaunch(plan, soFar, mayStop(soFar.launchesDone));
  if (isOver) return { ...countsOf(position), measuringS: 0 };
  const take = (seconds: number) => {
    soFar = pass(soFar, Math.max(seconds, stepFromS));
    stepFromS = 0;
  };
  for (let isWarm = position.isWarm; ; isWarm = false) {
    if (!isWarm) take(beforeS);
    while (wantsEpoch(plan, soFar, isSingle && mayStop(soFar.epochsDone))) {
      take(stepS);
      soFar = {
        ...soFar,
        epochsDone: soFar.epochsDone + 1,
        longestEpochS: Math.max(soFar.longestEpochS, stepS),
      };
    }
    epochs ??= soFar.epochsDone;
    soFar = afterLaunch(soFar);
    if (!wantsLaunch(plan, soFar, !isSingle && mayStop(soFar.launchesDone))) break;
  }
  return {
    measuringS: Math.max(0, soFar.elapsedS - position.elapsedS),
    launches: soFar.launchesDone,
    epochs,
  };
}

function afterLaunch(soFar: SoFar): SoFar {
  const over = { ...soFar, launchesDone: soFar.launchesDone + 1 };
  return { ...over, longestLaunchS: longestOf(over), epochsDone: 0, longestEpochS: 0, launchElapsedS: 0 };
}

function pass(soFar: SoFar, seconds: number): SoFar {
  return {
    ...soFar,
    elapsedS: soFar.elapsedS + seconds,
    launchElapsedS: soFar.launchElapsedS + seconds,
  };
}

function countsOf({ launchesDone, epochsDone }: Position): Pick<Expected, 'launches' | 'epochs'> {
  return { launches: launchesDone, epochs: epochsDone };
}

function firstPhases(plan: Plan, pace: Pace, knowsLoad: boolean): { name: Phase; seconds: number }[] {
  return [
    { name: 'starting', seconds: startS },
    { name: 'preflight', seconds: checkS },
    { name: 'warm-up', seconds: warmUpS(plan, pace.transactionMs) },
    { name: 'finding the load', seconds: findingS(plan, pace, knowsLoad) },
  ];
}

/** Search for the load: usual looks, turns of an arm per look, and the longest search. */
const [usualLooks, turnsOfLook, longestSearchS, turnMs] = [2, 16, 4, 16];

function findingS({ arms, permit, users }: Plan, { transactionMs }: Pace, knowsLoad: boolean): number {
  if (knowsLoad || permit !== undefined || users !== null) return 0;
  const lookS = (turnsOfLook * arms.length * (turnMs + transactionMs)) / 1000;
  return Math.min(longestSearchS, usualLooks * lookS);
}

/** Nothing has ended in the first warm-up: a transaction takes at least as long as has been waited for one. */
function paceBy(plan: Plan, { phase, pace, inPhaseS }: Position): Pace {
  const isWaiting = phase === 'warm-up' && pace.transactionMs === 0;
  return isWaiting ? { ...pace, transactionMs: (1000 * inPhaseS) / plan.arms.length } : pace;
}

/** Whether a run has another launch or epoch: what was decided so far, and what the time holds. */

/** Finished parts of a run. */
export type SoFar = {
  elapsedS: number;
  launchesDone: number;
  /** Longest launch, without the first once there are others. */
  longestLaunchS: number;
  /** Epochs of the current launch. */
  epochsDone: number;
  longestEpochS: number;
  launchElapsedS: number;
};

/** A launch that takes longer than those before must not break the promise. */
const caution = 1.05;

/** @param mayStop the intervals are narrow enough */
export function wantsLaunch(plan: Plan, soFar: SoFar, mayStop: boolean): boolean {
  const { minimum, maximum } = plan.launches;
  if (soFar.launchesDone < minimum) return true;
  return soFar.launchesDone < maximum && !mayStop && holds(plan, soFar, soFar.longestLaunchS);
}

/** On a slow machine launches have fewer epochs, so that there is time for the fewest launches. */
export function wantsEpoch(plan: Plan, soFar: SoFar, mayStop: boolean): boolean {
  const { launches, epochs } = plan;
  const isSingle = launches.maximum === 1;
  if (soFar.epochsDone < epochs.minimum) return true;
  if (soFar.epochsDone >= epochs.maximum) return false;
  if (isSingle) return !mayStop && holds(plan, soFar, soFar.longestEpochS);
  const launchS = Math.max(soFar.longestLaunchS, soFar.launchElapsedS);
  const toCome = Math.max(0, launches.minimum - soFar.launchesDone - 1);
  return holds(plan, soFar, soFar.longestEpochS + toCome * launchS);
}

/**
 * With the launch that has just ended. The first launch also has the preflight and the search for the load, so it says nothing of the next ones once there are others.
 */
export function longestOf({ launchesDone, longestLaunchS, launchElapsedS }: SoFar): number {
  return launchesDone === 2 ? launchElapsedS : Math.max(longestLaunchS, launchElapsedS);
}

function holds({ longestS }: Plan, { elapsedS }: SoFar, seconds: number): boolean {
  return elapsedS + caution * seconds + analysisS <= longestS;
}

/**
 * When a run ends: its headline is known to its precision at two looks in a row. The rule sees widths, never where an interval lies,
 * nor a p-value: stopping on width keeps the interval's coverage, stopping on significance raises a false alarm in 14 to 20 % of the runs.
 */

/** The headline at one moment: its samples so far, and the half-width of its ratio, as a share, that a longer run would narrow. */
export type Look = { samples: number; halfWidth: number };

/** Half-width of the headline at which a run ends. */
export function precisionOfPlan({ length, precision }: Pick<Plan, 'length' | 'precision'>): number {
  return precision ?? lengths[length].precision;
}

/** Looks that share most of their samples agree by chance. */
const growth = 1.2;
const looksInARow = 2;

/** Adds a look if there are 20 % more samples than at the latest. @param looks oldest first */
export function withLook(looks: readonly Look[], look: Look): readonly Look[] {
  const latest = looks.at(-1);
  return latest !== undefined && look.samples < growth * latest.samples ? looks : [...looks, look];
}

export function isKnown(looks: readonly Look[], precision: number): boolean {
  const recent = looks.slice(-looksInARow);
  return (
    recent.length === looksInARow &&
    (recent.at(-1)?.samples ?? 0) >= fewestSamples &&
    recent.every(({ halfWidth }) => halfWidth <= precision)
  );
}

/** How many times what has been measured is expected to be needed; infinite where nothing is known yet. */
export function expectedGrowth({ halfWidth }: Look, precision: number): number {
  return Math.max(1, (halfWidth / precision) ** 2);
}

/** Older runs say less about this machine as it is now. */
const mostRuns = 9;

/**
 * Standard deviation of a sample's log ratio of CPU per transaction on a quiet machine with two cores: medians of 44 runs of
 * `npm run bench -- repeat`, 2026-11-27.
 */
const shippedDeviations: Record<TargetKind, number> = { storefront: 0.032, managed: 0.027, origins: 0.0175 };

/** Half-width of a 95 % interval in standard errors, with the few degrees of freedom of a short run. */
const reach = 2.2;

const asked: Record<TargetKind, object> = {
  storefront: {},
  managed: { target: 'nginx' },
  origins: { target: { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' } },
};

/**
 * How long a run of each length is expected to take on this machine, and how precise it will be, for each kind of target: (2.2 × deviation of a sample ÷ precision)²
 * samples, in the launches that have them.
 * @param known earlier runs of this machine, newest first
 * @param taken share of this machine that others take now
 */
export function expectTimes(
  known: readonly { target: TargetKind; deviation: number }[],
  taken: number,
): ExpectedTime[] {
  return Object.entries(shippedDeviations).flatMap(([kind, shipped]) => {
    const target = kind as TargetKind;
    const runs = known.filter((each) => each.target === target).slice(0, mostRuns);
    const deviation = runs.length === 0 ? shipped : median(runs.map((each) => each.deviation));
    return lengthNames.map((length) => {
      const plan = planFor(runRequestSchema.parse({ ...asked[target], length }), 0);
      const { launches, epochs, maximumMs, longestS } = plan;
      const samples = Math.max(fewestSamples, (reach * (deviation / lengths[length].precision)) ** 2);
      const epochsNeeded = Math.ceil((1000 * samples) / maximumMs);
      const isSingle = launches.maximum === 1;
      const launchesNeeded = Math.max(launches.minimum, Math.ceil(epochsNeeded / epochs.maximum));
      const seconds = isSingle
        ? runS(plan, 1) + Math.max(0, epochsNeeded - epochs.minimum) * epochS(plan)
        : runS(plan, 0) + launchesNeeded * launchS(plan);
      const atPresent = seconds / (1 - Math.min(0.9, taken));
      const between = betweenRunsOf(target);
      // A run that its time limit ends has fewer samples.
      const within = lengths[length].precision * Math.sqrt(Math.max(1, atPresent / longestS));
      return {
        ...{ target, length, runs: runs.length, between, halfWidth: Math.hypot(within, between) },
        seconds: Math.min(longestS, 5 * Math.ceil(atPresent / 5)),
      };
    });
  });
}

/** Half-width of one run's interval by what moves between runs alone, as a share. */
function betweenRunsOf(target: TargetKind): number {
  const prior = movesBetweenRuns(target) ? shippedBetweenRuns('cpu_at_load', target) : null;
  return prior === null ? 0 : studentQuantile(0.95, prior.degrees) * Math.sqrt(prior.variance);
}
