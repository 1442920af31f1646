import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Program, Unseen } from '../../shared/kinds/comparison/program.ts';
import { sumOf } from '../method/statistics/mean.ts';
import { growthOf, judgeUnseen, leastUnseen, type UseInRound, works } from '../method/statistics/windows.ts';
import type { OtherClocks } from '../targets/sampling/every-process.ts';
import { readProgramsUs } from '../targets/sampling/process-sampler.ts';
import { type ProgramSource, programsHere, runApart } from '../targets/sampling/programs.ts';
import type { LoadBench } from './bench.ts';
import { type Round, rounds, type Turn } from './rounds.ts';
import { usualTransactions } from './turn-length.ts';

/**
 * Who works for a request: the last rounds of the warm-up decide it by CPU, which grows with the requests and rests without them. The
 * proxy that a client talks to is often the smaller part of what a request costs.
 */

/** About the last second of the warm-up. */
const decidingRounds = 16;
/** For more of them, where transactions are long, and to warm up what was found. */
const longestMs = 3000;
/** Rounds are longer on a busy machine, where hardly any growth is clear with fewer, and where CPU is known in steps of 10 ms. */
const longestAtAllMs = 15_000;

/** Watches every process from now on, if the bench looks for companions. */
export async function startSeeking<Name extends string>(bench: LoadBench<Name>): Promise<boolean> {
  if (bench.seek === undefined) return false;
  bench.others = (await sourceOf(bench)?.watchEvery(Object.values(bench.seek.roots).flat())) ?? null;
  bench.seek.since = readMachine(bench);
  return bench.others !== null;
}

/** Null for a target on another machine whose programs cannot be read. */
export function sourceOf({
  readings: { remote },
}: Pick<LoadBench<string>, 'readings'>): ProgramSource | null {
  return remote === null ? programsHere : remote.programs;
}

/**
 * Decides from the rounds of a warm-up, and from now on reads the programs that it found. Those that nothing ties to the target have to
 * show their growth twice.
 * @param isWarm whether all of them together no longer get cheaper; the target alone says nothing of an application that compiles
 * @returns the rounds to choose a load from: with the CPU of all programs
 */
export async function seekPrograms<Name extends string>(
  bench: LoadBench<Name>,
  seen: readonly Round<Name>[],
  turnsOf: (nth: number) => readonly Turn<Name>[],
  { isWarm, ...extent }: { seed: number; signal: AbortSignal; isWarm: (seen: Round<Name>[]) => boolean },
): Promise<readonly Round<Name>[]> {
  const { seek, others } = bench;
  const source = sourceOf(bench);
  if (seek === undefined || others == null || source === null) return seen;
  const more = async (most: number) => {
    const taken: Round<Name>[] = [];
    const fromMs = performance.now();
    const limits = { ...extent, rounds: most, ms: longestAtAllMs, nobodyEvery: 1 };
    for await (const round of rounds(bench, turnsOf, limits)) {
      taken.push(round);
      const tookMs = performance.now() - fromMs;
      const canFinish = others.stepUs !== null || (tookMs * most) / taken.length < longestAtAllMs;
      if (tookMs > longestMs && !canFinish) break;
    }
    return taken;
  };
  if (seek.foundUnseen !== undefined) {
    const unseen = await findUnseen(bench, seek.since ?? null, seen, turnsOf, extent);
    if (unseen !== null) await seek.foundUnseen(unseen);
  }
  const missing = decidingRounds - seen.length;
  const deciding = [...seen, ...(missing > 0 ? await more(missing) : [])].slice(-decidingRounds);
  const trees = Map.groupBy(Object.values(seek.roots), (roots) => roots.join());
  const targets = [...trees.values()].flatMap(([roots]) => (roots === undefined ? [] : [roots]));
  const workers = await workersOf(
    source,
    deciding,
    () => more(decidingRounds),
    targets.flat(),
    others.stepUs !== null,
  );
  const areApart = seek.mayCross && targets.length > 1 && (runApart(targets) || cross(deciding, seek.roots));
  delete bench.seek;
  bench.others = null;
  if (workers.length === 0 && !areApart) {
    await source.leave();
    return seen;
  }
  const programs = await source.group(workers, areApart ? targets : [targets.flat()]);
  await openCompanions(bench, programs);
  await seek.found(programs);
  const counted: Round<Name>[] = [];
  for await (const round of rounds(bench, turnsOf, { ...extent, ms: longestMs })) {
    counted.push(round);
    if (isWarm(counted)) break;
  }
  return counted;
}

/** Reads all programs from now on. @param programs the target first; several targets where they work for each other */
export async function openCompanions<Name extends string>(
  bench: Pick<LoadBench<Name>, 'others' | 'companions' | 'turnTransactions' | 'readings'>,
  programs: readonly Program[],
): Promise<void> {
  const targets = programs.filter(({ role }) => role === 'target').length;
  const beside = programs.slice(targets > 1 ? 0 : 1);
  bench.others = (await sourceOf(bench)?.watch(beside, targets > 1 ? 'instead' : 'beside')) ?? null;
  bench.companions = beside.flatMap(({ pids }) => pids);
  // They serve all arms, so they are read at every turn.
  bench.turnTransactions = Math.max(bench.turnTransactions, usualTransactions);
}

/** Adds where the children of each program were read so far. */
export function withChildren(programs: readonly Program[], others: OtherClocks): Program[] {
  const found = others.readChildren();
  const first = others.counts === 'instead' ? 0 : 1;
  return programs.map((program, place) => {
    const children = found[place - first] ?? null;
    return children === null ? program : { ...program, children };
  });
}

async function workersOf<Name extends string>(
  source: ProgramSource,
  deciding: readonly Round<Name>[],
  again: () => Promise<readonly Round<Name>[]>,
  targetRoots: readonly number[],
  isByTicks: boolean,
): Promise<number[]> {
  const suspects = growingIn(deciding, true, isByTicks);
  if (suspects.length === 0) return [];
  const tied = [...(await source.tied(targetRoots, suspects))];
  const untied = growingIn(deciding, false, isByTicks).filter((pid) => !tied.includes(pid));
  if (untied.length === 0) return tied;
  const confirmed = growingIn(await again(), false, isByTicks);
  return [...tied, ...untied.filter((pid) => confirmed.includes(pid))];
}

function growingIn<Name extends string>(
  all: readonly Round<Name>[],
  isTied: boolean,
  isByTicks: boolean,
): number[] {
  const target = growthOf(all.map((round) => useIn(round, round.targetUs ?? 0, 0)));
  const pids = new Set(all.flatMap(({ turns }) => turns.flatMap(({ others }) => [...others.us.keys()])));
  const growthOfProcess = (pid: number) =>
    growthOf(
      all.map((round) => {
        const loadedUs = sumOf(round.turns.map(({ others }) => others.us.get(pid) ?? 0));
        return useIn(round, loadedUs, round.nobody?.us.get(pid) ?? 0);
      }),
    );
  return [...pids].filter((pid) => works(growthOfProcess(pid), target, isTied, isByTicks));
}

/** Whether the processes of one arm work in the turns of another. */
function cross<Name extends string>(
  all: readonly Round<Name>[],
  roots: Record<string, readonly number[]>,
): boolean {
  const target = growthOf(all.map((round) => useIn(round, round.targetUs ?? 0, 0)));
  const arms = Object.keys(roots) as Name[];
  return arms.some((arm) =>
    arms.some((other) => {
      if (roots[arm]?.join() === roots[other]?.join()) return false;
      const uses = all.map(({ turns, nobody }): UseInRound => {
        const own = turns.filter((turn) => turn.arm === arm);
        return {
          loadedUs: sumOf(own.map(({ cpuUs }) => cpuUs?.[other] ?? 0)),
          loadedMs: sumOf(own.map(({ others }) => others.ms)),
          ...{ nobodyUs: nobody?.cpuUs?.[other] ?? 0, nobodyMs: nobody?.ms ?? 1 },
        };
      });
      return works(growthOf(uses), target);
    }),
  );
}

function useIn({ turns, nobody }: Round<string>, loadedUs: number, nobodyUs: number): UseInRound {
  const loadedMs = sumOf(turns.map(({ others }) => others.ms));
  return { loadedUs, loadedMs, nobodyUs, nobodyMs: nobody?.ms ?? 1 };
}

/**
 * Programs that work for a request and cannot be seen, such as a server in another PID namespace or with `hidepid`: the machine's busy time
 * reveals them. Linux reports it in steps of 10 ms, so finding them takes seconds, and only a large part can be found.
 */

const pairs = 8;
const stretchMs = 250;

/** CPU so far, µs, of all programs of this machine, and of TLS Toll without target and generator; null where it cannot be read. */
type Machine = { programsUs: number; oursUs: number } | null;

function readMachine({ own }: Pick<LoadBench<string>, 'own'>): Machine {
  const programsUs = readProgramsUs();
  return programsUs === null || own === undefined ? null : { programsUs, oursUs: own.readUs() };
}

/**
 * Looks closer where a warm-up leaves much of the machine's busy time unexplained: loads the target and leaves it alone in turns.
 * @param since before the rounds
 * @returns null where nothing large can be unseen
 */
async function findUnseen<Name extends string>(
  bench: LoadBench<Name>,
  since: Machine,
  seen: readonly Round<Name>[],
  turnsOf: (nth: number) => readonly Turn<Name>[],
  extent: { seed: number; signal: AbortSignal },
): Promise<Unseen | null> {
  const visibleUs = sumOf(seen.map(({ targetUs }) => targetUs ?? 0));
  const unexplained = unexplainedBetween(since, readMachine(bench), seen);
  if (unexplained === null || unexplained < leastUnseen * visibleUs) return null;
  const uses: UseInRound[] = [];
  const targets: UseInRound[] = [];
  let busyUs = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const fromMs = performance.now();
    const before = readMachine(bench);
    const loaded: Round<Name>[] = [];
    for await (const round of rounds(bench, turnsOf, { ...extent, ms: stretchMs })) loaded.push(round);
    const loadedMs = performance.now() - fromMs;
    const after = readMachine(bench);
    const loadedUs = unexplainedBetween(before, after, loaded);
    const nobodyUs = await unexplainedByNobody(bench, extent.signal);
    if (loadedUs === null || nobodyUs === null) return null;
    busyUs += (after?.programsUs ?? 0) - (before?.programsUs ?? 0);
    uses.push({ loadedUs, loadedMs, nobodyUs, nobodyMs: stretchMs });
    const targetUs = sumOf(loaded.map((round) => round.targetUs ?? 0));
    targets.push({ loadedUs: targetUs, loadedMs, nobodyUs: 0, nobodyMs: stretchMs });
  }
  const loadedMs = sumOf(uses.map((use) => use.loadedMs));
  return judgeUnseen(uses, targets, busyUs / (1000 * loadedMs * cpus().length));
}

/** µs that neither the target, nor the generator, nor TLS Toll, nor a process that can be seen has used. */
function unexplainedBetween<Name extends string>(
  since: Machine,
  now: Machine,
  seen: readonly Round<Name>[],
): number | null {
  if (since === null || now === null) return null;
  const explained = seen.map(
    ({ targetUs, generatorUs, turns, nobody }) =>
      (targetUs ?? 0) +
      generatorUs +
      sumOf(
        [...turns.map(({ others }) => others), nobody].map(
          (each) => (each?.kernelUs ?? 0) + sumOf([...(each?.us.values() ?? [])]),
        ),
      ),
  );
  return now.programsUs - since.programsUs - (now.oursUs - since.oursUs) - sumOf(explained);
}

async function unexplainedByNobody<Name extends string>(
  bench: LoadBench<Name>,
  signal: AbortSignal,
): Promise<number | null> {
  const { others, readings } = bench;
  const readVisibleUs = () => sumOf([...(others?.readUs().values() ?? [])]) + (others?.readKernelUs() ?? 0);
  const [before, cpu, visibleUs] = [readMachine(bench), await readings.readCpu(), readVisibleUs()];
  await pause(stretchMs, undefined, { signal });
  const [after, cpuNow, visibleNowUs] = [readMachine(bench), await readings.readCpu(), readVisibleUs()];
  if (before === null || after === null || cpu === null || cpuNow === null) return null;
  const gained = after.programsUs - before.programsUs - (after.oursUs - before.oursUs);
  return gained - (readings.sum(cpuNow) - readings.sum(cpu)) - (visibleNowUs - visibleUs);
}
