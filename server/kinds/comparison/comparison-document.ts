import { describeProblem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import {
  type Arm,
  bySide,
  isEncrypted,
  labelsOf,
  type SideName,
  schemeOf,
} from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { type Metric, primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import { noPast, type Past, type Pool } from '../../../shared/kinds/comparison/past.ts';
import { disturbingShare } from '../../../shared/kinds/comparison/quality.ts';
import { runsDiffer } from '../../../shared/kinds/comparison/questions.ts';
import {
  type Distribution,
  type FairnessSide,
  type RunDocument,
  type RunFacts,
  runSchemaVersion,
  type SideTls,
} from '../../../shared/kinds/comparison/run.ts';
import { type RunRequest, resolveSides } from '../../../shared/kinds/comparison/run-request.ts';
import type {
  LoadResult,
  Percentiles,
  PhaseName,
  PhaseTimes,
  Slot,
  StepTimes,
} from '../../../shared/kinds/comparison/slot.ts';
import type { HostsUsed } from '../../../shared/measurement/runner.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { causesOf } from '../../../shared/words/causes.ts';
import { endedInWords, saturatedIn } from '../../../shared/words/negotiated-words.ts';
import { changesOfLoad, knownSidesOf, serversOfSides } from '../../../shared/words/side-words.ts';
import { mostIdleShare } from '../../base/addresses/burst-length.ts';
import { studentQuantile } from '../../method/statistics/distributions.ts';
import { median } from '../../method/statistics/intervals.ts';
import { mergeHistograms, percentileLadder } from '../../method/statistics/latency-histogram.ts';
import { meanOf } from '../../method/statistics/mean.ts';
import { adviceOnWidth, verdictOf } from '../../method/statistics/outcome-decision.ts';
import { type Frame, isMeasured, type Kept } from '../kind.ts';
import { analyse, lookAtHeadline } from './analysis.ts';
import { madeWith } from './asked-question.ts';
import { errorsOf } from './block-ratios.ts';
import { isKept, soundBlocksOf } from './compared-metric.ts';
import { commandOf, precisionOfPlan } from './expected-time.ts';
import { thinkTimesLeftOut } from './plan-duration.ts';
import { doubtOfLate, pathOfRun, programCosts, shareOutLate } from './program-costs.ts';
import { connectionsOf, connectionsPerTransactionOf, type RunRecord } from './run-connections.ts';
import { pooledPartsOf, poolOfRun } from './run-pool.ts';

/** Blocks that distributions, steps and phases are read from: those under open load if there are any. */
const timesOfRun: Pick<Metric, 'points' | 'group'> = { points: ['steady', 'lockstep'], group: 'latency' };

/**
 * Everything that a permalink shows, from what is kept of a run. A run that did not finish gets no verdict. Causes that are not TLS come
 * first among the warnings, and the most serious one that varies replaces general advice.
 */
export function documentOf(frame: Frame<RunRequest>, kept: Kept<RunFacts, Block>): RunDocument {
  const document = documentWithoutCauses(frame, kept);
  const { problem, metrics, warnings } = document;
  const causes = causesOf(document).filter(({ sentence }) => problem?.detail.includes(sentence) !== true);
  const gravest = causes.find(({ isConstant }) => isConstant !== true) ?? null;
  return {
    ...document,
    warnings: [...causes.map((cause) => `${cause.sentence} ${cause.remedy}`), ...warnings],
    problem:
      problem !== null && gravest !== null && ofTarget.includes(problem.code)
        ? { ...problem, detail: `${problem.detail} ${gravest.sentence}`, advice: gravest.remedy }
        : problem,
    metrics: metrics.map((row) => ({
      ...row,
      reasons: row.reasons.map((reason) =>
        reason.replace(adviceOnWidth, gravest?.sentence ?? causeOfWidth(row, document.blocks)),
      ),
    })),
  };
}

/** Reason why an interval is wide: differences between runs, other programs, or a run that was too short. */
function causeOfWidth({ precision }: MetricComparison, blocks: readonly Block[]): string {
  const between = precision?.betweenRuns?.variance ?? 0;
  if (precision != null && between > precision.standardError ** 2 / 2)
    return 'Most of its width comes from differences between runs. Repeat the run: runs of the same question are pooled.';
  const shares = blocks.flatMap(({ windows }) =>
    windows.flatMap(({ stealRatio, foreignRatio }) =>
      stealRatio === null || foreignRatio === null ? [] : [stealRatio + foreignRatio],
    ),
  );
  const others = shares.length === 0 ? 0 : meanOf(shares);
  if (others <= disturbingShare) return adviceOnWidth;
  return `Other programs used ${printShare(others)} of this machine. A quieter machine narrows it.`;
}

/** Problems whose own advice assumes that nothing more is known of the target. */
const ofTarget: readonly ProblemCode[] = ['target_errors', 'target_died', 'too_disturbed'];

function documentWithoutCauses(
  frame: Frame<RunRequest>,
  { facts, blocks }: Kept<RunFacts, Block>,
): RunDocument {
  const state = isMeasured(frame) ? 'finished' : frame.state;
  const record: RunRecord = { ...frame, ...facts, state };
  const { cache: _, past, programs: __, ...noted } = facts;
  const kept = blocks.filter(isKept);
  const timed = soundBlocksOf(timesOfRun, blocks);
  const { id, request } = record;
  const finished = record.state === 'finished';
  const pauses = record.scenario.steps.map(({ thinkTimeMs }) => thinkTimeMs);
  const labels = labelsOf(knownSidesOf(request));
  const shared = shareOutLate(record.programs ?? [], blocks);
  const { metrics, warnings, refusal } = analyse(shared.blocks, {
    finished,
    ownTwin: factsOf(request.target).ownTwin,
    plan: record.plan,
    ...{ launches: record.launches, readings: record.readings, unseen: record.unseen },
    ...(record.atLoad === undefined ? {} : { loaded: { cores: record.atLoad.cores, labels } }),
    ...{ sides: { asked: request, labels }, checked: checkedOf(record) },
    surroundings: {
      ...{ target: request.target.kind, past: past ?? noPast },
      late: doubtOfLate(record.programs ?? [], shared),
      isContinued: record.continued !== undefined,
    },
  });
  const path = pathOfRun(record, blocks, metrics);
  const refused = finished && refusal !== null;
  const byProgram = costsByProgram(record, shared);
  const tls = bySide((side) => tlsOf(record, blocks, side));
  const connections = connectionsOf(blocks);
  const connectionsPerTransaction = connectionsPerTransactionOf(record, connections);
  const pool = finished && !refused ? poolOf(record, metrics, tls) : null;
  return {
    ...({ schemaVersion: runSchemaVersion, kind: 'comparison', id } as const),
    state: refused ? 'refused' : record.state,
    ...{ createdAt: record.createdAt, startedAt: record.startedAt, endedAt: record.endedAt },
    ...{ ...noted, target: request.target, asked: askedOf(request) },
    sides: bySide((side) => sideOf(record, side)),
    tlsProfile: request.tls,
    verdict: finished && !refused ? verdictOf(metrics) : null,
    problem: refused && refusal !== null ? describeProblem(refusal.code, refusal) : record.problem,
    ...{ metrics, ...byProgram },
    tls,
    fairness: kept.length === 0 ? null : bySide((side) => fairnessOf(record, kept, side)),
    distributions: kept.length === 0 ? null : bySide((side) => distributionOf(timed, side)),
    steps: stepsOf(record, timed),
    phases: kept.length === 0 ? null : bySide((side) => phasesOf(timed, side)),
    errors: errorsOf(blocks, labels),
    cache: cacheOf(record, isMeasured(frame)),
    ...(connections === undefined ? {} : { connections }),
    ...(connectionsPerTransaction === undefined ? {} : { connectionsPerTransaction }),
    ...(path === null ? {} : { path }),
    ...(pool === null ? {} : { pool }),
    warnings: [
      ...(record.notContinued === undefined ? [] : [record.notContinued]),
      ...(record.atLoad === undefined ? [] : changesOfLoad(record.atLoad)),
      ...warningsOfHosts(record.hosts),
      ...endedInWords(record.programs),
      ...thinkTimesLeftOut(request.thinkTimeScale, record.plan.thinkTimeScale, pauses),
      ...(finished && !refused ? precisionReached(record, metrics, blocks, past ?? noPast) : []),
      ...warnings,
      ...(past?.failed === true ? [noPastKnown] : []),
    ],
    blocks,
    environment: environmentOf(record),
    command: commandOf(record),
  };
}

function checkedOf({ preflight, request }: RunRecord) {
  return preflight === null ? null : { sides: preflight.sides, labels: labelsOf(knownSidesOf(request)) };
}

/** Empty where the target works alone. */
function costsByProgram(
  { programs, request }: RunRecord,
  shared: ReturnType<typeof shareOutLate>,
): Pick<RunDocument, 'cpuOf'> {
  const cpuOf =
    programs === undefined ? null : programCosts(programs, shared, request.target.kind === 'origins');
  return cpuOf === null ? {} : { cpuOf };
}

/** Why the headline is not known to the precision of the plan, and what to do; none if it is. */
function precisionReached(
  { plan, request, continued }: RunRecord,
  metrics: readonly MetricComparison[],
  blocks: readonly Block[],
  past: Past,
): string[] {
  if (request.launches !== null || continued !== undefined) return [];
  const { halfWidth } = lookAtHeadline(blocks, { target: request.target.kind, past });
  const precision = precisionOfPlan(plan);
  if (!Number.isFinite(halfWidth)) return [];
  if (halfWidth > precision) {
    const reached = Math.ceil(1000 * halfWidth) / 1000;
    return [
      `The run ended before its headline was known to ±${printShare(precision)}: it is known to ±${printShare(reached)}. Allow more time or more starts.`,
    ];
  }
  const headline = primaryMetrics
    .map((id) => metrics.find((each) => each.id === id))
    .find((each) => each != null && each.ratio !== null);
  const moves = headline?.precision?.betweenRuns;
  if (headline?.ratio == null || moves == null) return [];
  const between = studentQuantile(0.95, moves.degrees) * Math.sqrt(moves.variance) * headline.ratio.center;
  return between > precision ? [runsDiffer(between)] : [];
}

/** The cache report, without the browser’s name. */
function cacheOf({ state, cache }: RunRecord, isVisiting: boolean): RunDocument['cache'] {
  const sides = bySide((side) => cache?.[side] ?? null);
  if (cache !== null || state !== 'finished') return { ...sides, findings: cache?.findings ?? [] };
  return isVisiting
    ? { ...sides, findings: ['A browser is visiting the pages of both sides.'], underWay: true }
    : {
        ...sides,
        findings: ['The server stopped during the browser’s visits, so the cache was not measured.'],
      };
}

const noPastKnown =
  'Earlier runs could not be read, so the intervals rest on this run and on what is usual, and no runs are pooled.';

function poolOf(record: RunRecord, metrics: RunDocument['metrics'], tls: RunDocument['tls']): Pool | null {
  const { id, createdAt, request, environment, preflight, past, programs, departed } = record;
  const made = madeWith({
    ...{ target: request.target.kind, environment, servers: serversOfSides(record) },
    ...{ programs, departed },
    // Same source as for earlier runs, which have no blocks there.
    negotiated: bySide((side) => preflight?.sides[side].tls ?? tls[side].negotiated),
  });
  return poolOfRun(
    { id, createdAt, ...made, atLoad: record.atLoad ?? null, metrics: pooledPartsOf(metrics) },
    past?.earlier ?? [],
    { tolerance: record.plan.tolerance, target: request.target.kind },
  );
}

/** The server takes every target for one of its own machine; an agent knows better. */
function environmentOf({ environment, readings }: RunRecord): RunDocument['environment'] {
  return readings?.sameMachine === false ? { ...environment, sharedMachine: false } : environment;
}

function askedOf({ kind, target, scenario, seed, ...asked }: RunRequest): RunDocument['asked'] {
  return { ...asked, scenario: typeof scenario === 'string' ? scenario : null };
}

function sideOf({ request, preflight }: RunRecord, side: SideName): RunDocument['sides'][SideName] {
  const { transport, target } = resolveSides(request)[side];
  const asked = factsOf(target).origins?.[schemeOf(transport)] ?? null;
  return { ...knownSidesOf(request)[side], origin: preflight?.sides[side].origin ?? asked };
}

/** The last slot of an arm in a launch knows of every connection since the generator was pointed at that launch. */
function tlsOf({ request }: RunRecord, blocks: readonly Block[], side: SideName): SideTls {
  const launches = [...Map.groupBy(blocks, ({ launch }) => launch).values()];
  const last = launches.flatMap((of) => slotsOf(of, side).at(-1)?.load ?? []);
  const secure = isEncrypted(resolveSides(request)[side].transport) ? last : [];
  const total = (loads: readonly LoadResult[], of: keyof LoadResult['lifetime']) =>
    loads.reduce((sum, { lifetime }) => sum + lifetime[of], 0);
  return {
    negotiated: secure.at(-1)?.negotiated ?? null,
    handshakes: { full: total(secure, 'handshakesFull'), resumed: total(secure, 'handshakesResumed') },
    connections: total(last, 'connectionsOpened'),
  };
}

function fairnessOf(record: RunRecord, kept: readonly Block[], arm: SideName): FairnessSide {
  const side = record.preflight?.sides[arm];
  const [response] = side?.responses ?? [];
  const slots = slotsOf(kept, arm);
  const busy = (share: (slot: Slot) => number | null): FairnessSide['targetCpuPercent'] => {
    const at = (point: OperatingPoint) =>
      medianOrNull(slots.filter((slot) => slot.point === point).flatMap((slot) => share(slot) ?? []));
    return { lockstep: at('lockstep'), maximum: at('maximum'), steady: at('steady') };
  };
  return {
    httpVersion: response?.httpVersion ?? 'unknown',
    contentEncoding: response?.contentEncoding ?? 'unknown',
    bodyBytesPerTransaction: medianOrNull(
      slots.filter(({ load }) => load.succeeded > 0).map(({ load }) => load.bodyBytes / load.succeeded),
    ),
    generatorCpuPercent: busy(({ load }) => (load.generatorCpuUs / load.elapsedUs) * 100),
    targetCpuPercent: busy(({ load, target }) =>
      target === null ? null : ((target.busiestUs ?? target.cpuUs) / load.elapsedUs) * 100,
    ),
  };
}

function distributionOf(timed: readonly Block[], arm: Arm): Distribution {
  return percentileLadder(mergeHistograms(slotsOf(timed, arm).map((slot) => slot.load.latencyHistogram)));
}

function stepsOf(record: RunRecord, timed: readonly Block[]): RunDocument['steps'] {
  return record.scenario.steps.map((step, index) => ({
    name: step.name,
    ...bySide((side) => stepOf(slotsOf(timed, side), index)),
  }));
}

/** Medians over slots of each slot's percentiles, as in the table above them. */
function stepOf(slots: readonly Slot[], index: number): StepTimes | null {
  const parts = slots.flatMap((slot) => slot.load.steps[index] ?? []);
  if (parts.length === 0) return null;
  return { latencyUs: middle(parts.map((part) => part.latencyUs)), ...middlePhases(parts) };
}

function phasesOf(timed: readonly Block[], arm: Arm): PhaseTimes | null {
  const parts = slotsOf(timed, arm).flatMap((slot) => slot.load.phases ?? []);
  return parts.length === 0 ? null : middlePhases(parts);
}

function middlePhases(parts: readonly PhaseTimes[]): PhaseTimes {
  const middleOf = (phase: PhaseName) => {
    const present = parts.flatMap((part) => part[phase] ?? []);
    return present.length === 0 ? null : middle(present);
  };
  return {
    connectUs: middleOf('connectUs'),
    tlsUs: middleOf('tlsUs'),
    ttfbUs: middleOf('ttfbUs'),
    downloadUs: middleOf('downloadUs'),
  };
}

function middle(percentiles: Percentiles[]): Percentiles {
  return {
    count: percentiles.reduce((sum, each) => sum + each.count, 0),
    p50: median(percentiles.map((each) => each.p50)),
    p90: median(percentiles.map((each) => each.p90)),
    p99: median(percentiles.map((each) => each.p99)),
    max: Math.max(...percentiles.map((each) => each.max)),
  };
}

function slotsOf(blocks: readonly Block[], arm: Arm): Slot[] {
  return blocks.flatMap((block) => block.slots.filter((slot) => slot.arm === arm));
}

function medianOrNull(values: number[]): number | null {
  return values.length === 0 ? null : median(values);
}

/** From this ratio of round trips on, latencies come from two populations. */
const farApart = 10;

/** Why figures from several hosts may be doubtful; nothing when this machine generated the load. */
export function warningsOfHosts(used: HostsUsed | undefined): string[] {
  if (used === undefined) return [];
  const trips = used.hosts.map(({ roundTripUs }) => Math.max(1, roundTripUs));
  const apart = Math.max(...trips) / Math.min(...trips);
  const saturated = saturatedIn(used);
  return [
    ...(saturated.length === 0
      ? []
      : [`The load generator was the limit on ${saturated.join(' and ')}. Add hosts, or processes on them.`]),
    ...(apart < farApart
      ? []
      : [
          `Round trips of the hosts differ ${printNumber(apart, 0)} times, so latency under load is a mix of near and far users.`,
        ]),
    ...(used.idleShare <= mostIdleShare
      ? []
      : [`Hosts waited for each other ${printNumber(100 * used.idleShare, 0)} % of the time of all turns.`]),
    ...(used.losses === 0
      ? []
      : [
          `A host was lost ${used.losses === 1 ? 'once' : `${used.losses} times`}; what was measured then is discarded.`,
        ]),
  ];
}
