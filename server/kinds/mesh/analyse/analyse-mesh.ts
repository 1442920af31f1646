import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import {
  type MeshArm,
  type MeshArmResult,
  type MeshFindings,
  type MeshLaunch,
  type MeshRequest,
  type MeshRole,
  type MeshShift,
  type MeshShiftName,
  meshArms,
  meshShiftNames,
} from '../../../../shared/kinds/mesh/mesh.ts';
import { atLeastZero, scaled } from '../../../method/statistics/estimates.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';
import { boundsOf, precisionOf, withTwin } from '../../../method/statistics/precision.ts';
import { rolesOf } from '../plan/plan-mesh.ts';

const arms = namesOf<MeshArm>(meshArms);
/** Fewer say nothing of how they differ. */
const fewestLaunches = 3;

/**
 * What the launches say. Within a launch CPU of a request is a ratio of sums over the rounds that were not set aside; launches are the units.
 * Shifts are shares of what a direct request takes in the same launch, so that a slow moment cancels, and µs are those of the mean.
 */
export function analyseMesh(
  request: Pick<MeshRequest, 'clientProxy'>,
  launches: readonly MeshLaunch[],
  rated: boolean,
): MeshFindings {
  const sums = launches.map(sumsOf);
  return {
    arms: arms.map((arm) => armResult(arm, request, launches, sums, rated)),
    cpu: shiftsOf(
      sums.map((sum) => sharesOf(byArm(arms, (arm) => wholeOf(sum[arm])))),
      meanOf(sums.map((sum) => directOf(byArm(arms, (arm) => wholeOf(sum[arm]))))),
    ),
    latency: shiftsOf(
      launches.map(({ lone }) => byShift((name) => lone.shiftUs[name] / directOf(lone.medianUs))),
      meanOf(launches.map(({ lone }) => directOf(lone.medianUs))),
    ),
  };
}

/** Of an arm in one launch. */
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
    twin: (of.twin - of.direct) / direct,
  };
}

/** @param direct mean of what a direct request takes, µs */
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
