import { byArm, namesOf, sidesOfArms } from '../../../shared/base/arms.ts';
import { scaledTo } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import type { AskedArms } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  applicationName,
  type MeshArm,
  type MeshArmResult,
  type MeshDocument,
  type MeshFindings,
  type MeshLaunch,
  type MeshRequest,
  type MeshRole,
  type MeshShift,
  type MeshShiftName,
  meshArms,
  meshHistory,
  meshShiftNames,
} from '../../../shared/kinds/mesh/mesh.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { pathScenario, type Scenario } from '../../../shared/scenario/scenario.ts';
import { type Target, targetSchema } from '../../../shared/target/target.ts';
import { atLeastZero, scaled } from '../../method/statistics/estimates.ts';
import { clusteredMedian, launchInterval } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { boundsOf, precisionOf, withTwin } from '../../method/statistics/precision.ts';
import { warningOfFailures } from '../../method/statistics/windows.ts';
import { figuresIn } from '../define-kind.ts';

/** A process on the way of an arm. */
export type MeshPart = `${MeshArm} ${MeshRole}`;

export const requestTimeoutMs = 5000;
/** Times per launch: until it is warm at the latest, at load (two thirds of the measured time, as in comparisons), and alone. */
export type MeshTimes = { warmUpMs: number; atLoadMs: number; loneMs: number };
export const usualTimes: MeshTimes = { warmUpMs: 1500, atLoadMs: 2000, loneMs: 800 };
/** Starting servers and proxies. */
const startS = 1.5;
/** Warming up, and finding the load. */
const warmUpS = 2.5;

/** The parts of a plan that warming up and finding a load need. One user goes from arm to arm in windows of 200 ms. */
export function loadPlanOf({ users }: Pick<MeshRequest, 'users'>, { warmUpMs }: MeshTimes) {
  return {
    arms: meshArms,
    ...{ users, generators: 1, maximumMs: usualTimes.atLoadMs },
    ...{ thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { transactions: null, longestMs: warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

type MeshPhase = 'preparing' | 'measuring';

export function meshPhases({ launches }: Pick<MeshRequest, 'launches'>): Phase<MeshPhase>[] {
  const launchS = startS + warmUpS + (usualTimes.atLoadMs + usualTimes.loneMs) / 1000;
  return [
    { name: 'preparing', seconds: 1 },
    { name: 'measuring', seconds: launches * launchS, rounds: launches },
  ];
}

/** Application behind the proxies: a server for each arm, or one that already runs for all of them. None of them has TLS. */
export function askedApplication(request: MeshRequest): AskedApplication {
  return {
    target: targetOf(request),
    arms: meshArms,
    transports: sidesOfArms<MeshArm>(meshArms).map(() => 'http'),
    fieldOf: (_, field) => (field.startsWith('target.') ? 'address' : field),
  };
}

type AskedApplication = AskedArms<MeshArm> & {
  target: Target;
  fieldOf(side: MeshArm, field: string): string;
};

function targetOf({ application, address, bytes }: MeshRequest): Target {
  if (address === null) {
    return targetSchema.parse({ kind: 'managed', server: application, documents: [bytes] });
  }
  return targetSchema.parse({ kind: 'origins', http: new URL(address).origin });
}

export function scenarioOf({ address, bytes }: Pick<MeshRequest, 'address' | 'bytes'>): Scenario {
  if (address === null) return pathScenario([`/${bytes}.html`], null);
  const { pathname, search } = new URL(address);
  return pathScenario([`${pathname}${search}`]);
}

/** Roles of an arm, from the application to the client. */
export function rolesOf(arm: MeshArm, { clientProxy }: Pick<MeshRequest, 'clientProxy'>): MeshRole[] {
  if (arm === 'direct' || arm === 'twin') return ['application'];
  return clientProxy ? ['application', 'proxy', 'clientProxy'] : ['application', 'proxy'];
}

/** Latencies of a request on each arm, one right after another, µs. */
type Group = Record<MeshArm, number>;

/** Median of the differences within a group, because a disturbance hits all arms of a group. */
export function loneShifts(windows: readonly (readonly Group[])[]): Record<MeshShiftName, number> {
  const medianOf = (difference: (group: Group) => number) =>
    clusteredMedian(windows.map((groups) => groups.map(difference)))?.median ?? 0;
  return {
    proxy: medianOf(({ plain, direct, twin }) => plain - (direct + twin) / 2),
    tls: medianOf(({ secure, plain }) => secure - plain),
    twin: medianOf(({ twin, direct }) => twin - direct),
  };
}

const arms = namesOf<MeshArm>(meshArms);
/** Fewer say nothing of how they differ. */
const fewestLaunches = 3;

/**
 * Findings from the launches, which are the units. Within a launch, CPU per request is a ratio of sums over the rounds that were not set
 * aside. Shifts are shares of a direct request's cost in the same launch, so that a slow moment cancels, and µs are those of the direct arm.
 */
export function analyseMesh(
  request: Pick<MeshRequest, 'clientProxy'>,
  launches: readonly MeshLaunch[],
  rated: boolean,
): MeshFindings {
  const sums = launches.map(sumsOf);
  const results = arms.map((arm) => armResult(arm, request, launches, sums, rated));
  const direct = results.find(({ arm }) => arm === 'direct');
  const cpu = shiftsOf(
    sums.map((sum) => sharesOf(byArm(arms, (arm) => wholeOf(sum[arm])))),
    direct?.cpuUs?.center ?? 0,
  );
  const latency = shiftsOf(
    launches.map(({ lone: { shiftUs, medianUs } }) =>
      byShift((name) => shiftUs[name] / (name === 'twin' ? medianUs.direct : directOf(medianUs))),
    ),
    direct?.latencyUs?.center ?? 0,
  );
  return { arms: results.map((result) => alignToDirect(result, { direct, cpu, latency })), cpu, latency };
}

type Aligned = Pick<MeshFindings, 'cpu' | 'latency'> & { direct: MeshArmResult | undefined };

/** Gives an arm the centers of the direct one and its shifts, so that a reader who subtracts gets the shifts that are printed. */
function alignToDirect(result: MeshArmResult, { direct, cpu, latency }: Aligned): MeshArmResult {
  const at = (from: Estimate | null | undefined, shifts: Aligned['cpu']): number | null => {
    if (from == null || shifts.proxy === null || shifts.tls === null || shifts.twin === null) return null;
    const added: Record<MeshArm, number> = {
      direct: 0,
      plain: shifts.proxy.us.center,
      secure: shifts.proxy.us.center + shifts.tls.us.center,
      twin: shifts.twin.us.center,
    };
    return from.center + added[result.arm];
  };
  const [cpuUs, latencyUs] = [at(direct?.cpuUs, cpu), at(direct?.latencyUs, latency)];
  const factor = cpuUs === null || result.cpuUs === null ? 1 : cpuUs / result.cpuUs.center;
  return {
    ...result,
    cpuUs: result.cpuUs && scaled(result.cpuUs, factor),
    parts: result.parts.map((part) => ({ ...part, cpuUs: scaled(part.cpuUs, factor) })),
    latencyUs:
      result.latencyUs === null || latencyUs === null
        ? result.latencyUs
        : scaledTo(result.latencyUs, latencyUs),
  };
}

/** Sums of an arm in one launch. */
type Sums = { transactions: number; perS: number; cpuUs: Partial<Record<MeshRole, number>> };

function sumsOf({ rounds }: MeshLaunch): Record<MeshArm, Sums> {
  const kept = rounds.filter(({ aside }) => !aside);
  return byArm(arms, (arm) => {
    const each = kept.map((round) => round.arms[arm]);
    const roles = Object.keys(each[0]?.cpuUs ?? {}) as MeshRole[];
    return {
      transactions: sumOf(each.map(({ transactions }) => transactions)),
      perS: meanOf(each.map(({ perS }) => perS)),
      cpuUs: byArm(roles, (role) => sumOf(each.map(({ cpuUs }) => cpuUs[role] ?? 0))),
    };
  });
}

/** CPU of a request, µs. */
function wholeOf({ cpuUs, transactions }: Sums): number {
  return sumOf(Object.values(cpuUs)) / transactions;
}

/** Direct and its twin, taken together. */
function directOf(of: Record<MeshArm, number>): number {
  return (of.direct + of.twin) / 2;
}

function sharesOf(of: Record<MeshArm, number>): Record<MeshShiftName, number> {
  const direct = directOf(of);
  return {
    proxy: (of.plain - direct) / direct,
    tls: (of.secure - of.plain) / direct,
    twin: (of.twin - of.direct) / of.direct,
  };
}

/** @param direct what a direct request takes, µs */
function shiftsOf(
  launches: readonly Record<MeshShiftName, number>[],
  direct: number,
): Record<MeshShiftName, MeshShift | null> {
  if (launches.length < fewestLaunches) return byShift(() => null);
  const precise = byShift((name) =>
    precisionOf(
      launches.map((shares, launch) => ({ launch, value: shares[name] })),
      { standing: false, prior: null, betweenRuns: null },
    ),
  );
  const twin = precise.twin === null ? null : boundsOf(precise.twin);
  return byShift((name) => {
    const precision = precise[name];
    if (precision === null) return null;
    const share = boundsOf(name === 'twin' ? precision : withTwin(precision, twin));
    return { us: scaled(share, direct), percent: scaled(share, 100) };
  });
}

function armResult(
  arm: MeshArm,
  request: Pick<MeshRequest, 'clientProxy'>,
  launches: readonly MeshLaunch[],
  sums: readonly Record<MeshArm, Sums>[],
  rated: boolean,
): MeshArmResult {
  const own = sums.map((sum) => sum[arm]);
  return {
    arm,
    requests: sumOf(own.map(({ transactions }) => transactions)),
    cpuUs: overLaunches(own.map(wholeOf)),
    parts: rolesOf(arm, request).flatMap((role) => {
      const cpuUs = overLaunches(own.map((each) => (each.cpuUs[role] ?? 0) / each.transactions));
      return cpuUs === null ? [] : [{ role, cpuUs }];
    }),
    perS: rated ? null : overLaunches(own.map(({ perS }) => perS)),
    latencyUs: overLaunches(launches.map(({ lone }) => lone.medianUs[arm])),
  };
}

function overLaunches(values: readonly number[]): Estimate | null {
  if (values.length < fewestLaunches) return null;
  const found = launchInterval(values.map((value, launch) => ({ launch, value })));
  return found && atLeastZero(found);
}

function byShift<Each>(of: (name: MeshShiftName) => Each): Record<MeshShiftName, Each> {
  return byArm(meshShiftNames, of);
}

const mostAside = 0.1;
/** Each process may be off by two of the kernel's ticks of 10 ms. Beyond that, both counts must agree within 2 %. */
const tickUs = 10_000;
const agreement = 0.02;

/** Warnings about the launches as a whole. */
export function meshWarnings(launches: readonly MeshLaunch[]): string[] {
  if (launches.length === 0) return [];
  const rounds = launches.flatMap((launch) => launch.rounds);
  const aside = meanOf(rounds.map((round) => (round.aside ? 1 : 0)));
  const failures = warningOfFailures([{ windows: rounds }]);
  const clockUs = sumOf(launches.map(({ cpuCheck }) => cpuCheck.clockUs));
  const ticksUs = sumOf(launches.map(({ cpuCheck }) => cpuCheck.tickUs));
  const slack = sumOf(launches.map(({ cpuCheck }) => 2 * tickUs * cpuCheck.processes));
  return [
    ...(failures === null ? [] : [failures]),
    ...(aside <= mostAside
      ? []
      : [`Other programs disturbed ${printShare(aside)} of the rounds, which were discarded for all paths.`]),
    ...(Math.abs(clockUs - ticksUs) <= slack + agreement * ticksUs
      ? []
      : [
          `Two counts of the same CPU disagree: ${printNumber(clockUs / 1000, 0)} ms by the CPU clock, ${printNumber(ticksUs / 1000, 0)} ms by the kernel’s ticks.`,
        ]),
  ];
}

/** Each cost for the history in SQL. */
export function meshFigures({
  request,
  cpu,
  latency,
}: Pick<MeshDocument, 'request' | 'cpu' | 'latency'>): Figures {
  const asked = { ...request, application: applicationName(request), mutualTls: request.mutual };
  return figuresIn(
    meshHistory,
    meshShiftNames.map((cost) => ({ ...asked, cost, cpu: cpu[cost], latency: latency[cost] })),
  );
}
