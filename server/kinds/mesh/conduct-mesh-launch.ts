import { byArm, namesOf, writeOrder } from '../../../shared/base/arms.ts';
import type { AtLoad } from '../../../shared/kinds/comparison/at-load.ts';
import {
  type MeshArm,
  type MeshLaunch,
  type MeshRequest,
  type MeshRole,
  type MeshRound,
  meshArms,
  meshShiftNames,
} from '../../../shared/kinds/mesh/mesh.ts';
import type { LoadBench } from '../../measure/bench.ts';
import { type LockstepWindow, lockstep } from '../../measure/lockstep.ts';
import { perSOf, type Round, rounds, seedOf } from '../../measure/rounds.ts';
import { median } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { judgeWindows } from '../../method/statistics/windows.ts';
import { type MachineUse, watchMachine } from '../../targets/sampling/machine.ts';
import type { Readings } from '../../targets/sampling/readings.ts';
import { loadPlanOf, loneShifts, type MeshPart, type MeshTimes, rolesOf } from './mesh-analysis.ts';

const readingsArms = namesOf<MeshArm>(meshArms);

function partsOf(arm: MeshArm, request: Pick<MeshRequest, 'clientProxy'>): MeshPart[] {
  return rolesOf(arm, request).map((role): MeshPart => `${arm} ${role}`);
}

/** All processes on the way of an arm as one. */
export function readingsOfArms(
  parts: Readings<MeshPart>,
  request: Pick<MeshRequest, 'clientProxy'>,
): LoadBench<MeshArm>['readings'] {
  const { shared, roots, remote } = parts;
  const ofArms = <Each>(of: (own: MeshPart[]) => Each) =>
    Object.fromEntries(readingsArms.map((arm) => [arm, of(partsOf(arm, request))])) as Record<MeshArm, Each>;
  return {
    ...{ shared, remote, stepUs: parts.stepUs },
    roots: roots === null ? null : ofArms((own) => own.flatMap((part) => roots[part])),
    async readCpu() {
      const cpuUs = await parts.readCpu();
      return cpuUs === null ? null : ofArms((own) => sumOf(own.map((part) => cpuUs[part])));
    },
    async awaitAsleep(arm) {
      const sleeps = [];
      for (const part of partsOf(arm, request)) sleeps.push(await parts.awaitAsleep(part));
      return {
        waitedUs: sumOf(sleeps.map(({ waitedUs }) => waitedUs)),
        asleep: sleeps.every(({ asleep }) => asleep),
      };
    },
    sum(cpuUs) {
      const each = sumOf(readingsArms.map((arm) => cpuUs[arm]));
      // Each arm's CPU contains a shared application in full, and the direct arm's contains nothing else.
      return shared ? each - (readingsArms.length - 1) * cpuUs.direct : each;
    },
  };
}

const arms = namesOf<MeshArm>(meshArms);

/** Instruments of one launch, once it is warm. */
type LaunchUnderWay = {
  request: MeshRequest;
  load: AtLoad;
  bench: LoadBench<MeshArm>;
  /** Readings of each process. */
  parts: Readings<MeshPart>;
  seed: number;
  times: MeshTimes;
  /** Explains errors that cannot be set aside. */
  problemIn(where: string): Promise<Error>;
};

/** Rounds of bursts, then one user from arm to arm. */
export async function measureLaunch(
  launch: number,
  under: LaunchUnderWay,
  signal: AbortSignal,
): Promise<MeshLaunch> {
  const { generator } = under.bench;
  for (const arm of arms) {
    await generator.prepare(arm, false, under.load.users);
    await generator.clear(arm);
  }
  const where = `start ${launch + 1}`;
  await under.parts.readAll();
  const rounds = judgeWindows(await runRounds(under, where, signal));
  await under.parts.readAll();
  const checks = under.parts.cpuChecks();
  return {
    ...{ launch, rounds },
    lone: await measureLone(under, where, signal),
    cpuCheck: {
      clockUs: sumOf(checks.map(({ clockUs, childrenUs }) => clockUs + childrenUs)),
      tickUs: sumOf(checks.map(({ tickUs }) => tickUs)),
      processes: checks.length,
    },
  };
}

/** Rounds in a row with a failure after which the target counts as failing. */
const patience = 3;

async function runRounds(under: LaunchUnderWay, where: string, signal: AbortSignal): Promise<MeshRound[]> {
  const { request, load, bench, parts, seed, times, problemIn } = under;
  const turns = arms.map((arm) => ({ arm, users: load.users, burstMs: load.burstMs }));
  const byPart = { ...bench, readings: parts, partsOf: (arm: MeshArm) => partsOf(arm, request) };
  const kept: MeshRound[] = [];
  const machineSince = watchMachine(bench);
  for await (const round of rounds<MeshArm, MeshPart>(byPart, () => turns, {
    seed,
    ms: times.atLoadMs,
    signal,
  })) {
    kept.push(roundOf(round, request, machineSince(round.targetUs, round.generatorUs)));
    const recent = kept.slice(-patience);
    const isEmpty = arms.some((arm) => kept.at(-1)?.arms[arm].transactions === 0);
    if (isEmpty || (recent.length === patience && recent.every(({ failed }) => failed !== undefined)))
      throw await problemIn(where);
  }
  return kept;
}

function roundOf(
  { turns, cpuUs, elapsedMs, failed }: Round<MeshArm, MeshPart>,
  request: MeshRequest,
  machine: MachineUse,
): MeshRound {
  if (cpuUs === null) throw new Error('a process that was opened cannot be read');
  const burstOf = (arm: MeshArm) => turns.flatMap((turn) => (turn.arm === arm ? [turn.burst] : []));
  return {
    order: writeOrder<MeshArm>(
      meshArms,
      turns.map(({ arm }) => arm),
    ),
    elapsedMs: Math.round(elapsedMs),
    ...machine,
    aside: false,
    ...(failed > 0 ? { failed } : {}),
    arms: byArm(arms, (arm) => ({
      transactions: sumOf(burstOf(arm).map(({ succeeded }) => succeeded)),
      perS: rounded(perSOf(burstOf(arm))),
      cpuUs: Object.fromEntries(
        rolesOf(arm, request).map((role): [MeshRole, number] => [role, Math.round(cpuUs[`${arm} ${role}`])]),
      ),
    })),
  };
}

async function measureLone(
  { request, bench, seed, times, problemIn }: LaunchUnderWay,
  where: string,
  signal: AbortSignal,
): Promise<MeshLaunch['lone']> {
  const extent = { seed: seedOf(seed, 0), ms: times.loneMs, signal };
  const taken: LockstepWindow<MeshArm>[] = [];
  for await (const window of lockstep(bench, loadPlanOf(request, times), extent, performance.now()))
    taken.push(window);
  const groups = judgeWindows(taken)
    .filter(({ aside }) => !aside)
    .map((window) => window.groups);
  const each = groups.flat();
  if (each.length === 0) throw await problemIn(where);
  const shifts = loneShifts(groups);
  return {
    groups: each.length,
    medianUs: byArm(arms, (arm) => rounded(median(each.map((group) => group[arm])))),
    shiftUs: byArm(meshShiftNames, (name) => rounded(shifts[name])),
  };
}

/** To a hundredth: what is measured is no finer. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
