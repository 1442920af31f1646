import { byArm, namesOf } from '../../shared/base/arms.ts';
import type { WindowArm, WindowOf } from '../../shared/kinds/comparison/block.ts';
import type { WindowOptions, WindowResult } from '../drive/load/load-messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import { median } from '../method/statistics/intervals.ts';
import { sumOf } from '../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../method/statistics/random.ts';
import { watchMachine } from '../targets/sampling/machine.ts';
import { gainOf } from '../targets/sampling/readings.ts';
import type { LoadBench, LoadPlan } from './bench.ts';
import { firstRowOf, seedOf } from './rounds.ts';

/** A window, with the latencies (µs) of its groups. A group is one transaction on each arm, one right after another. */
export type LockstepWindow<Name extends string> = WindowOf<Name> & {
  groups: readonly Record<Name, number>[];
};

type Extent = { seed: number; ms: number; users?: number; signal: AbortSignal };

/** One user (or a few) goes from arm to arm, window after window. Between two windows nothing is in flight, and CPU is read. */
export async function* lockstep<Name extends string>(
  bench: LoadBench<Name>,
  { windowMs, pairUsers }: Pick<LoadPlan, 'windowMs' | 'pairUsers'>,
  { seed, ms, users = pairUsers, signal }: Extent,
  runStartedAtMs: number,
): AsyncGenerator<LockstepWindow<Name>> {
  const { readings } = bench;
  const arms = namesOf(bench.arms);
  const untilMs = performance.now() + ms;
  let before = await readings.readCpu();
  const machineSince = watchMachine(bench);
  for (let nth = 0; nth === 0 || performance.now() < untilMs - windowMs / 2; nth++) {
    signal.throwIfAborted();
    await bench.beforeRound?.();
    const startedAtMs = performance.now();
    const options = { durationMs: windowMs, users, seed: seedOf(seed, nth), firstRow: firstRowOf(seed, nth) };
    const result = await measureWindow(bench, options);
    const after = await readings.readCpu();
    const used = gainOf(before, after);
    before = after;
    const failed = result.groups - result.latenciesUs.length / arms.length;
    yield {
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      elapsedMs: Math.round(performance.now() - startedAtMs),
      ...machineSince(used === null ? null : usedByAll(bench, used, result), result.generatorCpuUs),
      aside: false,
      ...(failed > 0 ? { failed } : {}),
      arms: byArm(arms, (arm) => armOf(arms, arm, result, used)),
      groups: groupsOf(arms, result.latenciesUs),
    };
  }
}

/** The target's CPU, µs, with that of its companions, which the turns alone show. */
function usedByAll<Name extends string>(
  { arms, readings, companions = [] }: Pick<LoadBench<Name>, 'arms' | 'readings' | 'companions'>,
  used: Record<Name, number>,
  result: WindowResult<Name>,
): number {
  const targetUs = readings.sum(used);
  if (companions.length === 0) return targetUs;
  return Math.max(targetUs, sumOf(namesOf(arms).map((arm) => result.arms[arm].cpuUs ?? 0)));
}

function armOf<Name extends string>(
  arms: readonly Name[],
  arm: Name,
  { arms: measured, latenciesUs }: WindowResult<Name>,
  used: Record<Name, number> | null,
): WindowArm {
  const { transactions, cpuUs } = measured[arm];
  const place = arms.indexOf(arm);
  const own = Array.from(latenciesUs).filter((_, index) => index % arms.length === place);
  return {
    transactions,
    cpuUs: cpuUs ?? (used === null ? null : tenth(Math.max(0, used[arm]))),
    medianUs: own.length === 0 ? null : tenth(median(own)),
    perS: null,
  };
}

function tenth(us: number): number {
  return Math.round(us * 10) / 10;
}

function groupsOf<Name extends string>(
  arms: readonly Name[],
  latenciesUs: Float32Array,
): Record<Name, number>[] {
  return Array.from({ length: latenciesUs.length / arms.length }, (_, group) =>
    byArm(arms, (arm) => latenciesUs[group * arms.length + arms.indexOf(arm)] ?? 0),
  );
}

type Options = Pick<WindowOptions<string>, 'durationMs' | 'users' | 'seed' | 'firstRow'>;

/**
 * One window. Where arms share a process tree, its CPU is read at every turn: by the generator if it can, else here, between
 * turns that are asked for one by one.
 */
export function measureWindow<Name extends string>(
  bench: Pick<LoadBench<Name>, 'arms' | 'generator' | 'readings' | 'turnTransactions' | 'companions'>,
  options: Options,
): Promise<WindowResult<Name>> {
  const { generator, readings, turnTransactions } = bench;
  const arms = namesOf(bench.arms);
  const readTurnUs = readings.shared ? (readings.remote?.readTurnUs ?? null) : null;
  if (readTurnUs !== null)
    return windowOfTurns(arms, generator, readTurnUs, { ...options, turnTransactions });
  const trees = treesOf(bench);
  return generator.window({ ...options, arms, turnTransactions, trees });
}
/** Processes that are read at every turn, because they work for all arms; null for none. */
function treesOf<Name extends string>({
  arms,
  readings: { shared, roots },
  companions = [],
}: Pick<LoadBench<Name>, 'arms' | 'readings' | 'companions'>): Record<Name, number[]> | null {
  if (roots === null || !(shared || companions.length > 0)) return null;
  return byArm(namesOf(arms), (arm) => [...roots[arm], ...companions]);
}

/** Short enough to end with the first turn. */
const oneTurnMs = 0.001;

async function windowOfTurns<Name extends string>(
  arms: readonly Name[],
  generator: Generator,
  readUs: () => Promise<number>,
  { durationMs, seed, firstRow, turnTransactions }: Options & { turnTransactions: number },
): Promise<WindowResult<Name>> {
  const fromMs = performance.now();
  const spent = byArm(arms, () => ({ transactions: 0, cpuUs: 0 }));
  const latenciesUs: number[] = [];
  let generatorCpuUs = 0;
  let groups = 0;
  const draw = drawsOf(seed);
  let beforeUs = await readUs();
  while (performance.now() - fromMs < durationMs) {
    const ofGroup = new Map<Name, number>();
    for (const arm of shuffle(arms, draw)) {
      const turn = await generator.window({
        ...{ arms: [arm], durationMs: oneTurnMs, users: 1, turnTransactions, trees: null, seed },
        firstRow: firstRow + groups,
      });
      const afterUs = await readUs();
      spent[arm].transactions += turn.arms[arm].transactions;
      spent[arm].cpuUs += Math.max(0, afterUs - beforeUs);
      generatorCpuUs += turn.generatorCpuUs;
      beforeUs = afterUs;
      const [latencyUs] = turn.latenciesUs;
      if (latencyUs !== undefined) ofGroup.set(arm, latencyUs);
    }
    groups++;
    // A group with a failure does not count.
    if (ofGroup.size === arms.length) latenciesUs.push(...arms.map((arm) => ofGroup.get(arm) ?? 0));
  }
  return {
    elapsedUs: Math.round((performance.now() - fromMs) * 1000),
    arms: spent,
    latenciesUs: Float32Array.from(latenciesUs),
    generatorCpuUs,
    groups,
  };
}
