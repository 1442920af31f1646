import { byArm, namesOf, writeOrder } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import {
  type MeshArm,
  type MeshLaunch,
  type MeshRequest,
  type MeshRole,
  type MeshRound,
  meshArms,
  meshShiftNames,
} from '../../../../shared/kinds/mesh/mesh.ts';
import { discardedShare } from '../../../base/addresses/burst-length.ts';
import { judgeWindows } from '../../../method/statistics/judge-windows.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { watchMachine } from '../../../targets/sampling/watch-machine.ts';
import { firstRowOf } from '../../comparison/conduct/first-row.ts';
import type { LoadInstruments } from '../../comparison/conduct/instruments.ts';
import { runWindows } from '../../comparison/conduct/measure-lockstep.ts';
import { roundOfBursts } from '../../round-of-bursts.ts';
import { loneShifts } from '../analyse/lone-shifts.ts';
import { loadPlanOf, type MeshPart, type MeshTimes, rolesOf } from '../plan/plan-mesh.ts';
import { partsOf } from './arm-readings.ts';

const arms = namesOf<MeshArm>(meshArms);

/** What one launch is measured with, once it is warm. */
type LaunchUnderWay = {
  request: MeshRequest;
  load: AtLoad;
  instruments: LoadInstruments<MeshArm>;
  /** Of each process. */
  parts: Readings<MeshPart>;
  seed: number;
  times: MeshTimes;
  /** Of errors that cannot be set aside. */
  problemIn(where: string): Promise<Error>;
};

/** Rounds of bursts, then one user from arm to arm. */
export async function measureLaunch(
  launch: number,
  under: LaunchUnderWay,
  signal: AbortSignal,
): Promise<MeshLaunch> {
  const { generator } = under.instruments;
  for (const arm of arms) {
    await generator.prepare(arm, false, under.load.users);
    await generator.clear(arm);
  }
  const where = `launch ${launch + 1}`;
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

/** So many rounds in a row in which something failed are a target that fails. */
const patience = 3;

async function runRounds(under: LaunchUnderWay, where: string, signal: AbortSignal): Promise<MeshRound[]> {
  const { load, parts, seed, times, problemIn } = under;
  const rounds: MeshRound[] = [];
  const untilMs = performance.now() + times.atLoadMs;
  const draw = drawsOf(seed);
  let cpu = await parts.readCpu();
  while (rounds.length === 0 || performance.now() < untilMs - (arms.length * load.burstMs) / 2) {
    const measured = await measureRound(shuffle(arms, draw), cpu, rounds.length, under, signal);
    cpu = measured.cpu;
    rounds.push(measured.round);
    const isEmpty = arms.some((arm) => measured.round.arms[arm].transactions === 0);
    const recent = rounds.slice(-patience);
    if (isEmpty || (recent.length === patience && recent.every(({ failed }) => failed !== undefined)))
      throw await problemIn(where);
  }
  return rounds;
}

type Cpu = Record<MeshPart, number> | null;

async function measureRound(
  order: readonly MeshArm[],
  cpu: Cpu,
  nth: number,
  { request, load, instruments, parts, seed }: LaunchUnderWay,
  signal: AbortSignal,
): Promise<{ round: MeshRound; cpu: Cpu }> {
  const { users, ratePerS, burstMs } = load;
  const machineSince = watchMachine(instruments);
  const startedAtMs = performance.now();
  const slot = {
    ...{ durationMs: burstMs, discardMs: burstMs * discardedShare, ratePerS, users },
    firstRow: firstRowOf(seed, nth),
  };
  const measured = await roundOfBursts<MeshArm, MeshPart>(
    order,
    slot,
    cpu,
    { generator: instruments.generator, readings: parts },
    signal,
    (arm) => partsOf(arm, request),
  );
  const { bursts, cpuUs, targetUs, generatorUs } = measured;
  if (cpuUs === null) throw new Error('a process that was opened cannot be read');
  const failed = sumOf(order.map((arm) => bursts[arm].started - bursts[arm].succeeded));
  return {
    cpu: measured.cpu,
    round: {
      order: writeOrder<MeshArm>(meshArms, order),
      elapsedMs: Math.round(performance.now() - startedAtMs),
      ...machineSince(targetUs, generatorUs),
      aside: false,
      ...(failed > 0 ? { failed } : {}),
      arms: byArm(arms, (arm) => ({
        transactions: bursts[arm].succeeded,
        perS: rounded(bursts[arm].transactionsInWindow / (bursts[arm].windowUs / 1e6)),
        cpuUs: Object.fromEntries(
          rolesOf(arm, request).map((role): [MeshRole, number] => [
            role,
            Math.round(cpuUs[`${arm} ${role}`]),
          ]),
        ),
      })),
    },
  };
}

async function measureLone(
  { request, instruments, seed, times, problemIn }: LaunchUnderWay,
  where: string,
  signal: AbortSignal,
): Promise<MeshLaunch['lone']> {
  const place = { seed: (seed + 15_485_863) % 2 ** 31, runStartedAtMs: performance.now() };
  const windows = judgeWindows(
    await runWindows(place, loadPlanOf(request, times), instruments, signal, times.loneMs),
  );
  const groups = windows.filter(({ aside }) => !aside).map((window) => window.groups ?? []);
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
