import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { problem } from '../../../../shared/base/problem.ts';
import { type BySide, bySide, type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Placement } from '../../../../shared/kinds/comparison/placement.ts';
import { type ExplainLaunch, explainArms } from '../../../../shared/kinds/explain/explain.ts';
import { ProfileBuilder } from '../../../method/profile/profile.ts';
import { judgeWindows } from '../../../method/statistics/judge-windows.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { openPrivateDirectory } from '../../../targets/sampling/perf/private-directory.ts';
import { readStacks } from '../../../targets/sampling/perf/read-stacks.ts';
import { recordStacks } from '../../../targets/sampling/perf/record-stacks.ts';
import type { LoadInstruments } from '../../comparison/conduct/instruments.ts';
import { runBursts } from '../../comparison/conduct/measure-maximum.ts';
import type { ExplainTimes } from '../plan/plan-explain.ts';
import { ownerOf, processesOf, TurnLog } from './sample-owner.ts';

/** What one launch is measured with, once it is warm. */
type LaunchUnderWay = {
  load: AtLoad;
  instruments: LoadInstruments<SideName>;
  /** Of each side's process tree. */
  roots: BySide<number>;
  /** What is pinned; perf keeps to the generator's cores. Null where nothing is. */
  placement: Placement | null;
  dataDirectory: string;
  seed: number;
  times: ExplainTimes;
  /** Of errors that cannot be set aside. */
  problemIn(where: string): Promise<Error>;
};

/** Rounds of bursts, and then the same with a recording, which is deleted before this returns. */
export async function measureLaunch(
  launch: number,
  under: LaunchUnderWay,
  signal: AbortSignal,
): Promise<ExplainLaunch> {
  const { load, instruments, roots, times, placement } = under;
  for (const { name } of explainArms) {
    await instruments.generator.prepare(name, false, load.users);
    await instruments.generator.clear(name);
  }
  const where = `launch ${launch + 1}`;
  const plain = await measure(under, times.plainMs, where, signal);
  const turns = new TurnLog();
  const watched = {
    ...under,
    instruments: { ...instruments, generator: turns.watching(instruments.generator) },
  };
  const before = processesOf(roots);
  const directory = openPrivateDirectory(under.dataDirectory);
  try {
    const cores = { sampled: placement?.target ?? null, own: placement?.generator ?? null };
    const recording = await recordStacks(directory.path, cores, signal);
    try {
      const recorded = await measure(watched, times.recordedMs, where, signal);
      turns.end();
      await recording.stop();
      const after = processesOf(roots);
      const processes = bySide((side) => before[side].union(after[side]));
      const read = await readProfiles(recording.path, directory.path, processes, turns, signal);
      return {
        ...{ launch, strayed: read.strayed },
        sides: bySide((side) => ({ plain: plain[side], recorded: recorded[side], ...read.profiles[side] })),
      };
    } finally {
      await recording.discard();
    }
  } finally {
    directory.remove();
  }
}

async function measure(
  { load, instruments, seed, problemIn }: LaunchUnderWay,
  ms: number,
  where: string,
  signal: AbortSignal,
) {
  const place = { seed, runStartedAtMs: performance.now() };
  const windows = judgeWindows(await runBursts(place, load, instruments, signal, ms));
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

/** Each sample counts for its side. Throws symbols_missing for a program that is stripped. */
async function readProfiles(
  path: string,
  directory: string,
  processes: BySide<ReadonlySet<number>>,
  turns: TurnLog,
  signal: AbortSignal,
) {
  const programs = programsOf(bySide((side) => processes[side]));
  const builders = bySide(() => new ProfileBuilder(programs));
  let strayed = 0;
  await readStacks(
    path,
    directory,
    sideNames.flatMap((side) => [...processes[side]]),
    (sample) => {
      const side = ownerOf(sample, processes, turns);
      if (side !== null) builders[side].add(sample.stack);
      else if (sideNames.some((each) => processes[each].has(sample.pid))) strayed++;
    },
    signal,
  );
  const stripped = sideNames.map((side) => builders[side].stripped()).find((name) => name !== null);
  if (stripped !== undefined && stripped !== null) {
    throw problem(
      'symbols_missing',
      `${stripped} is stripped: its functions have no names, so its CPU time cannot be explained.`,
    );
  }
  return { profiles: bySide((side) => builders[side].finish()), strayed };
}

function programsOf(processes: BySide<ReadonlySet<number>>): Set<string> {
  const names = sideNames.flatMap((side) => [...processes[side]].flatMap((pid) => programOf(pid) ?? []));
  return new Set(names);
}

/** Null for one that has ended. */
function programOf(pid: number): string | null {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
  } catch {
    return null;
  }
}
