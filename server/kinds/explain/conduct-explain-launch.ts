import { basename } from 'node:path';
import { type BySide, bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { AtLoad, Placement } from '../../../shared/kinds/comparison/at-load.ts';
import type { WindowOf } from '../../../shared/kinds/comparison/block.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { type ExplainLaunch, explainArms } from '../../../shared/kinds/explain/explain.ts';
import { aliveOf, listPids, ProcessTree, programOf, readProc } from '../../base/process/proc.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import type { LoadBench } from '../../measure/bench.ts';
import { samples } from '../../measure/rounds.ts';
import { libraryRules } from '../../method/cost-rules.ts';
import { ProfileBuilder } from '../../method/profile.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { judgeWindows } from '../../method/statistics/windows.ts';
import {
  nameJava,
  openPrivateDirectory,
  type Recording,
  readStacks,
  recordStacks,
  type Unwinding,
} from '../../targets/sampling/record-stacks.ts';
import type { ExplainTimes } from './explain-report.ts';

/** Instruments of one launch, once it is warm. */
type LaunchUnderWay = {
  load: AtLoad;
  bench: LoadBench<SideName>;
  /** Roots of each side's process trees. */
  roots: BySide<readonly number[]>;
  /** Every program that works for the requests; null where the target works alone. */
  programs(): readonly Program[] | null;
  /** Whether they were started for this, to be sampled. */
  ours: boolean;
  /** Pinned cores; perf keeps to the generator's. Null if nothing is pinned. */
  placement: Placement | null;
  dataDirectory: string;
  seed: number;
  times: ExplainTimes;
  /** Explains errors that cannot be set aside. */
  problemIn(where: string): Promise<Error>;
};

/** Times that a recording is paused and resumed, so that what it costs is measured in turns. */
const turnsOfRecording = 4;

/** Rounds of bursts, without a recording and with one in turns. The recording is deleted before this returns. */
export async function measureLaunch(
  launch: number,
  under: LaunchUnderWay,
  signal: AbortSignal,
): Promise<ExplainLaunch> {
  const { load, bench, ours, placement } = under;
  const programs = under.programs();
  // These programs work for both sides; the turns tell their samples apart.
  const roots = bySide((side) => [...under.roots[side], ...(bench.companions ?? [])]);
  for (const { name } of explainArms) {
    await bench.generator.prepare(name, false, load.users);
    await bench.generator.clear(name);
  }
  const turns = new TurnLog();
  const before = processesOf(roots);
  const directory = openPrivateDirectory(under.dataDirectory);
  try {
    // The cores of other programs are not known.
    const sampled = programs === null ? (placement?.target ?? null) : null;
    const cores = { sampled, own: placement?.generator ?? null };
    const unwinding = unwindingOf(programsOf(before));
    const recording = await recordStacks(directory.path, { ...cores, unwinding }, signal);
    try {
      const { plain, recorded } = await measureInTurns(
        under,
        recording,
        turns,
        `start ${launch + 1}`,
        signal,
      );
      await recording.stop();
      const after = processesOf(roots);
      if (ours) await nameJava([...new Set(sideNames.flatMap((side) => [...after[side]]))], signal);
      const processes = bySide((side) => before[side].union(after[side]));
      const read = await readProfiles(recording.path, directory.path, processes, turns, signal);
      return {
        ...{ launch, strayed: read.strayed },
        ...(read.unnamed === undefined ? {} : { unnamed: read.unnamed }),
        ...(programs === null ? {} : { programs: programs.map(({ name }) => name) }),
        sides: bySide((side) => ({ plain: plain[side], recorded: recorded[side], ...read.profiles[side] })),
      };
    } finally {
      await recording.discard();
    }
  } finally {
    directory.remove();
  }
}

type Windows = WindowOf<SideName>[];

/** Which one comes first alternates, so that neither gains from a server that is still getting faster. */
async function measureInTurns(
  under: LaunchUnderWay,
  recording: Recording,
  turns: TurnLog,
  where: string,
  signal: AbortSignal,
) {
  const { load, bench, seed, times } = under;
  const watched = { ...bench, generator: turns.watching(bench.generator) };
  const windows: { plain: Windows; recorded: Windows } = { plain: [], recorded: [] };
  const runStartedAtMs = performance.now();
  for (let turn = 0; turn < turnsOfRecording; turn++) {
    for (const during of turn % 2 === 0
      ? (['plain', 'recorded'] as const)
      : (['recorded', 'plain'] as const)) {
      const isRecorded = during === 'recorded';
      if (isRecorded) await recording.resume();
      const ms = times[`${during}Ms`] / turnsOfRecording;
      const extent = { seed: seed + turn, ms, sampleMs: ms, signal };
      for await (const { window } of samples(isRecorded ? watched : bench, load, extent, runStartedAtMs))
        windows[during].push(window);
      if (!isRecorded) continue;
      turns.end();
      await recording.pause();
    }
  }
  const { plain, recorded } = windows;
  return { plain: await sumsFor(plain, under, where), recorded: await sumsFor(recorded, under, where) };
}

async function sumsFor(measured: Windows, { problemIn }: Pick<LaunchUnderWay, 'problemIn'>, where: string) {
  const windows = judgeWindows(measured);
  const kept = windows.filter(({ aside }) => !aside);
  const sums = bySide((side) => sumsOf(kept, side));
  if (sideNames.some((side) => sums[side].requests === 0)) throw await problemIn(where);
  if (windows.some(({ failed, aside }) => failed !== undefined && !aside)) throw await problemIn(where);
  return sums;
}

function sumsOf(windows: readonly WindowOf<SideName>[], side: SideName) {
  return {
    requests: sumOf(windows.map(({ arms }) => arms[side].transactions)),
    cpuUs: Math.round(sumOf(windows.map(({ arms }) => arms[side].cpuUs ?? 0))),
  };
}

/** Each sample counts for its side. */
async function readProfiles(
  path: string,
  directory: string,
  processes: BySide<ReadonlySet<number>>,
  turns: TurnLog,
  signal: AbortSignal,
) {
  const programs = programsOf(processes).union(ownLibraries(processes));
  const builders = bySide(() => new ProfileBuilder(programs));
  let strayed = 0;
  await readStacks(
    path,
    directory,
    [...new Set(sideNames.flatMap((side) => [...processes[side]]))],
    (sample) => {
      const side = ownerOf(sample, processes, turns);
      if (side !== null) builders[side].add(sample.stack);
      else if (sideNames.some((each) => processes[each].has(sample.pid))) strayed++;
    },
    signal,
  );
  const unnamed = sideNames.map((side) => builders[side].unnamed()).find((name) => name !== null);
  return {
    ...{ profiles: bySide((side) => builders[side].finish()), strayed },
    ...(unnamed == null ? {} : { unnamed }),
  };
}

function programsOf(processes: BySide<ReadonlySet<number>>): Set<string> {
  const paths = sideNames.flatMap((side) => [...processes[side]].flatMap((pid) => programOf(pid) ?? []));
  return new Set(paths.map((path) => basename(path)));
}

/**
 * Libraries that no other program on this machine has loaded: the code of a program that is a stub, such as libpython of a Python that was
 * built for itself. Libraries whose functions the table of groups knows are nobody's own.
 */
function ownLibraries(processes: BySide<ReadonlySet<number>>): Set<string> {
  const ours = processes.baseline.union(processes.comparison);
  const programs = new Set([...ours].map(programOf));
  const others = listPids().filter((pid) => !ours.has(pid) && !programs.has(programOf(pid)));
  const shared = new Set(others.flatMap(librariesOf));
  const own = [...ours].flatMap(librariesOf).filter((path) => !shared.has(path));
  return new Set(own.map((path) => basename(path)).filter((name) => !isShared(name)));
}

function isShared(name: string): boolean {
  return (
    /^(ld-linux|lib(c|m|pthread|dl|rt|stdc\+\+|gcc_s)\b)/.test(name) ||
    libraryRules.some(({ library }) => library.test(name))
  );
}

/** Paths of libraries whose code is mapped. */
function librariesOf(pid: number): string[] {
  const maps = readProc(`/proc/${pid}/maps`) ?? '';
  return [...maps.matchAll(/^\S+ r-xp \S+ \S+ \d+ +(\/\S+)$/gm)].flatMap(([, path = '']) =>
    path.includes('.so') ? path : [],
  );
}

/** They keep frame pointers, and no unwind tables of what they compile. */
const compilers = ['node', 'java'];

function unwindingOf(programs: ReadonlySet<string>): Unwinding {
  return programs.size > 0 && [...programs].every((name) => compilers.includes(name)) ? 'frames' : 'tables';
}

/** A side's turn, on the monotonic clock. */
type Turn = { side: SideName; fromNs: bigint; untilNs: bigint };

/** The turns of the sides, in their order in time. */
class TurnLog {
  readonly #turns: Turn[] = [];

  /** The same generator, with its bursts noted. A turn lasts until the next burst begins. */
  watching<Load extends Pick<Generator, 'burst'>>(generator: Load): Load {
    const burst: Generator['burst'] = (arm, slot) => {
      const now = process.hrtime.bigint();
      const last = this.#turns.at(-1);
      if (last !== undefined && last.untilNs > now) last.untilNs = now;
      this.#turns.push({ side: arm as SideName, fromNs: now, untilNs: forever });
      return generator.burst(arm, slot);
    };
    return { ...generator, burst };
  }

  end(): void {
    const last = this.#turns.at(-1);
    if (last !== undefined) last.untilNs = process.hrtime.bigint();
  }

  /** Whose turn it was; null before the first and after the last. */
  at(timeNs: bigint): SideName | null {
    let [low, high] = [0, this.#turns.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const turn = this.#turns[middle] as Turn;
      if (timeNs < turn.fromNs) high = middle - 1;
      else if (timeNs >= turn.untilNs) low = middle + 1;
      else return turn.side;
    }
    return null;
  }
}

const forever = 2n ** 63n;

/** Processes of each side, with all that they have started. */
function processesOf(roots: BySide<readonly number[]>): BySide<Set<number>> {
  return bySide((side) => new Set(new ProcessTree(...aliveOf(roots[side])).list().map(({ pid }) => pid)));
}

/** The side of a sample: by its process where each side has its own, otherwise by its time. Null for other processes, and outside of turns. */
function ownerOf(
  { pid, timeNs }: { pid: number; timeNs: bigint },
  processes: BySide<ReadonlySet<number>>,
  turns: TurnLog,
): SideName | null {
  const owners = sideNames.filter((side) => processes[side].has(pid));
  const turn = turns.at(timeNs);
  return owners.length === 0 || turn === null ? null : owners.length === 1 ? (owners[0] ?? null) : turn;
}
