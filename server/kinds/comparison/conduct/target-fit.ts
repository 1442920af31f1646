import { type FieldError, ProblemError, problem, problemAt } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';
import { type Arm, bySide, type SideName, schemeOf, sideNames } from '../../../../shared/base/transport.ts';
import type { ConnectionPolicy, Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { lengths, longestPauseMs } from '../../../../shared/kinds/comparison/options.ts';
import type { RunFacts, SlotsFound } from '../../../../shared/kinds/comparison/run.ts';
import { fieldOfSide, type RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import type { Scenario, SecretValues } from '../../../../shared/scenario/scenario.ts';
import {
  type Check,
  type CheckId,
  failedChecks,
  type PreflightReport,
  type TargetCheck,
} from '../../../../shared/target/preflight.ts';
import { agentTokenName, exporterTokenName } from '../../../../shared/target/readings.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { slotsInWords, waysOutOfSlots } from '../../../../shared/words/causes.ts';
import { serversOfSides } from '../../../../shared/words/side-words.ts';
import { fillSecrets } from '../../../intake/scenario/secrets.ts';
import { maskSecrets } from '../../../intake/traffic/redaction.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { checkOnce } from '../../../targets/open/check-once.ts';
import { askTarget, type OpenTarget, openTarget, type RunHouse } from '../../../targets/open/open-target.ts';
import { countSlots } from '../../../targets/preflight/count-slots.ts';
import { startSignal } from '../../../targets/preflight/resolve-origins.ts';
import { openAgentReadings } from '../../../targets/sampling/agent-readings.ts';
import { openPrometheusReadings } from '../../../targets/sampling/prometheus-readings.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import {
  type Apparatus,
  type ConfiguredHouse,
  type EarlierRun,
  readingsHere,
  realApparatus,
} from '../../apparatus.ts';
import { runArms } from '../metric-readings.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Refuses a target that already runs, or its agent, before its run is queued, rather than after the run ahead. A target of ours is
 * looked at when its run has started it: to start it now would disturb the run ahead.
 */
export async function demandStandingFit(
  request: RunRequest,
  scenario: Scenario,
  secrets: SecretValues,
  house: RunHouse,
): Promise<void> {
  if (factsOf(request.target).startedHere) return;
  const report = await checkOnce(request, fillSecrets(scenario, secrets), secrets, house).catch(unlessBusy);
  if (report !== null) demandFit(maskSecrets(secrets)(report), request);
  await demandReadable(request, secrets, house);
}

/** A host that is being measured is checked when its next run begins. */
function unlessBusy(error: unknown): null {
  if (error instanceof ProblemError && error.problem.code === 'target_busy') return null;
  throw error;
}

/** An agent or exporter that cannot be read is known now. What reads this machine is opened with the run. */
async function demandReadable(request: RunRequest, secrets: SecretValues, house: RunHouse): Promise<void> {
  const signal = startSignal(house);
  const target = await openTarget(askTarget(request, runArms, secrets), house, signal);
  try {
    if (target.agent === null && target.exporter === null) return;
    demandOneHost(target);
    const readings = await openReadings(target, secrets, realApparatus, signal);
    readings.close();
  } finally {
    await target.stop();
  }
}

/** An agent or an exporter reads one host: of sides on two it would miss one. Throws invalid_request. */
function demandOneHost({ listeners, agent }: Pick<OpenTarget<Arm>, 'listeners' | 'agent'>): void {
  const hosts = new Set(
    Object.values(listeners).map(({ permit, address }) => (permit === undefined ? 'this machine' : address)),
  );
  if (hosts.size === 1) return;
  const [reader, field] = agent === null ? ['exporter', 'target.prometheus'] : ['agent', 'target.agent'];
  const message = `An ${reader} reads one host, but the sides are on ${[...hosts].join(' and ')}. Leave it out, or compare servers of one host.`;
  throw problemAt('invalid_request', field, message);
}

/**
 * A run that continues another takes in its blocks and adds launches, or epochs of a process that is the same. It was looked at for its
 * value, so its intervals are at 99 %.
 */

/** The run to continue. Throws not_continuable if this machine or the pause rules it out, and run_not_found. */
export async function findEarlier(id: string, house: ConfiguredHouse, now: number): Promise<EarlierRun> {
  if (house.earlier === undefined)
    throw problem('not_continuable', 'This runner cannot read the earlier run.');
  const earlier = await house.earlier(id);
  const { before, here } = earlier.environments;
  if (before.machine === undefined || before.machine !== here.machine)
    throw refusal('It was measured on another machine, or this machine has been restarted.');
  if ((['kernel', 'node', 'openssl', 'cores'] as const).some((name) => before[name] !== here[name]))
    throw refusal('The software of this machine has changed since.');
  if (now - earlier.endedAt > longestPauseMs) throw refusal('It ended more than 15 minutes ago.');
  return earlier;
}

function refusal(why: string) {
  return problem('not_continuable', why);
}

/** The plan of the earlier run with the time to go on. */
export function planContinued(
  earlier: Plan,
  request: Pick<RunRequest, 'target' | 'length' | 'atMostS'>,
): Plan {
  const launches = factsOf(request.target).startedHere ? { minimum: 1, maximum: 50 } : earlier.launches;
  return { ...earlier, launches, longestS: request.atMostS ?? lengths[request.length].continuesS };
}

/** Why blocks of the earlier run and of this one must not be together, in a sentence; null if they may. */
export function whyNotContinued(
  before: RunFacts,
  now: RunFacts,
  pids: { before: readonly (number | null)[]; now: readonly (number | null)[] },
): string | null {
  const tls = ({ preflight }: RunFacts) =>
    JSON.stringify(bySide((side) => preflight?.sides[side].tls ?? null));
  const servers = (facts: RunFacts) => {
    const of = serversOfSides(facts);
    return JSON.stringify(
      sideNames.map((side) => [of[side]?.title, of[side]?.version, of[side]?.tlsLibrary]),
    );
  };
  if (before.atLoad === undefined) return 'the earlier run found no load';
  if (tls(before) !== tls(now)) return 'TLS is negotiated differently now';
  if (servers(before) !== servers(now)) return 'the server is another version now';
  if (JSON.stringify(pids.before) !== JSON.stringify(pids.now)) return 'the target has been restarted since';
  return null;
}

/** Throws target_unreachable, tls_not_offered, scenario_unfit or not_comparable, naming the fields, unless the two sides can be measured. */
export function demandFit(report: TargetCheck, request: Pick<RunRequest, 'sides'>): void {
  if (report.ok) return;
  const detail = report.problem ?? 'The preflight checks failed.';
  const { twinProblem, untrusted } = report;
  const errors =
    twinProblem === null ? fieldErrorsOf(report, request) : [{ field: 'target.twin', message: twinProblem }];
  const details = failedChecks(report.sides)[0]?.check.details;
  throw problem(codeOf(report), {
    ...{ detail, errors },
    ...(details === undefined ? {} : { details }),
    ...(untrusted === null ? {} : { untrusted }),
  });
}

/** Connections that stay open. A server with a fixed number of workers may not answer all of them. */
const keeping: readonly ConnectionPolicy[] = ['keep-alive', 'requests-per-connection'];

type Fitting = Pick<RunUnderWay, 'scenario' | 'request' | 'plan' | 'labels' | 'note'>;

/** Throws too_few_slots unless the target answers as many connections at a time as the warm-up will hold. */
export async function demandSlots(run: Fitting, target: OpenTarget<Arm>, signal: AbortSignal): Promise<void> {
  const slots = await findSlots(run.plan.users ?? usualUsers, run, target, signal);
  if (slots === null) return;
  await run.note({ slots });
  throw problem('too_few_slots', `${slotsInWords(slots, run.labels)} ${waysOutOfSlots(slots)}`);
}

/** Sides that answer too few connections for this number of users; null if none do, or if connections do not stay open. */
export async function findSlots(
  users: number,
  { scenario, request: { tls }, plan: { arms, connectionPolicy } }: Omit<Fitting, 'labels' | 'note'>,
  { ours, listeners }: OpenTarget<Arm>,
  signal: AbortSignal,
): Promise<SlotsFound | null> {
  if (ours || !keeping.includes(connectionPolicy)) return null;
  const served = await countSlots({ listeners, connections: users, scenario, tls, signal });
  if (served === null) return null;
  const armsOf = (side: SideName) => arms.filter(({ name, twinOf = name }) => twinOf === side);
  const servedOf = (side: SideName) => sumOf(armsOf(side).map(({ name }) => served[name]));
  const sides = sideNames.filter((side) => servedOf(side) < users * armsOf(side).length);
  const perUser = sumOf(sides.map((side) => armsOf(side).length));
  const inAll = sumOf(sides.map(servedOf));
  return { sides, connections: users * perUser, served: inAll, users: Math.floor(inAll / perUser) };
}

/** Checks of the connection and its security, before the first request. */
const ofConnection = new Set<CheckId>(['address', 'connect', 'tls', 'certificate']);
/** Checks of the steps. */
const ofSteps = new Set<CheckId>(['status', 'redirect']);

function codeOf({ sides, refused }: TargetCheck): ProblemCode {
  const failed = failedChecks(sides);
  const asked = failed.filter((each) => isRefused(each, refused));
  const broken = failed.filter((each) => ofConnection.has(each.check.id) && !asked.includes(each));
  if (broken.length > 0) return 'target_unreachable';
  if (asked.length > 0) return 'tls_not_offered';
  return failedChecks(sides).some(({ check }) => isAlike(check, sides)) ? 'scenario_unfit' : 'not_comparable';
}

/** Whether a step fails in the same way on both sides, which is no difference between them. */
function isAlike({ id, message }: Check, sides: PreflightReport['sides']): boolean {
  if (!ofSteps.has(id)) return false;
  return sideNames.every((side) =>
    sides[side].checks.some((check) => check.id === id && check.message === message),
  );
}

type Failed = ReturnType<typeof failedChecks>[number];

function isRefused({ side, check }: Failed, refused: TargetCheck['refused']): boolean {
  return refused[side]?.message === check.message;
}

function fieldErrorsOf({ sides, refused }: TargetCheck, request: Pick<RunRequest, 'sides'>): FieldError[] {
  const errors = failedChecks(sides).map(({ side, check }): FieldError => {
    const own = refused[side];
    if (own !== null && isRefused({ side, check }, refused)) return own;
    const target = fieldOfSide(request, side, `target.${schemeOf(sides[side].transport)}`);
    return { field: isAlike(check, sides) ? 'scenario' : target, message: check.message };
  });
  return errors.filter(({ field }, index) => errors.findIndex((other) => other.field === field) === index);
}

/**
 * Opens the source of the target's CPU: its agent, an exporter, or the processes of this machine. Throws the problems of
 * `openAgentReadings` and `openPrometheusReadings`.
 */
export async function openReadings<Name extends string>(
  { agent, exporter, listeners }: Pick<OpenTarget<Name>, 'agent' | 'exporter' | 'listeners'>,
  secrets: SecretValues,
  apparatus: Pick<Apparatus, 'openSampler'>,
  signal: AbortSignal,
): Promise<Readings<Name>> {
  const arms = Object.keys(listeners) as Name[];
  if (exporter !== null) {
    const exporterToken = exporter.bearer ? secrets[exporterTokenName] : null;
    if (exporterToken === undefined)
      throw problem('secret_missing', 'The token of the exporter has no value.');
    return openPrometheusReadings(arms, exporter, exporterToken, signal);
  }
  if (agent === null) return readingsHere(listeners, apparatus);
  const token = secrets[agentTokenName];
  if (token === undefined) throw problem('secret_missing', 'The token of the agent has no value.');
  return openAgentReadings(arms, agent, token, signal);
}
