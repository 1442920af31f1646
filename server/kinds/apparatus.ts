import { byArm } from '../../shared/base/arms.ts';
import type { Placement } from '../../shared/kinds/comparison/placement.ts';
import { type Listener, rootsOf } from '../../shared/target/target.ts';
import { planAround, planPlacement } from '../base/addresses/plan-placement.ts';
import { pinToCores, readAllowedCores, readCoreThreads } from '../base/process/pin-to-cores.ts';
import { readServingCores } from '../base/process/serving-cores.ts';
import { type Generator, startGenerator } from '../drive/load/start-generator.ts';
import type { OpenTarget } from '../targets/open-target.ts';
import { type HostReading, readHost } from '../targets/sampling/host.ts';
import { openSampler, type ProcessSampler, samplingSupported } from '../targets/sampling/process-sampler.ts';
import { localReadings, type Readings } from '../targets/sampling/readings.ts';

type PlacedTarget = Pick<OpenTarget<string>, 'ours' | 'listeners'>;

/** What a run is measured with. Tests bring a script instead, which no other program on the machine can disturb. */
export type Apparatus = {
  /** @param signal ends its load at once */
  startGenerator(processes: number, signal?: AbortSignal): Promise<Generator>;
  /**
   * Keeps generator and target on cores of their own; null where that is not possible. A target that is not ours stays
   * where it is: the generator keeps off its cores if it has not all of them.
   */
  place(generator: Generator, target: PlacedTarget): Promise<Placement | null>;
  /** Of an arm's process tree; null where it cannot be read. Arms may share one: only one is loaded at a time. */
  openSampler(listener: Listener): ProcessSampler | null;
  /** The target's own counts; null for a target that is not ours. */
  countersOf<Name extends string>(target: OpenTarget<Name>): OpenTarget<Name>['counters'];
  /** That the serving processes of an arm may run on; null where that is not known. */
  coresOf(listener: Listener): number | null;
  /** Whether what works besides the target can be found among the processes of this machine. */
  seesProcesses: boolean;
  /** Reads the whole machine; null where it cannot be read. */
  readHost(): HostReading | null;
};

/** Of process trees on this machine. */
export function readingsHere<Name extends string>(
  listeners: Record<Name, Listener>,
  { openSampler }: Pick<Apparatus, 'openSampler'>,
): Readings<Name> {
  const arms = Object.keys(listeners) as Name[];
  return localReadings(
    arms,
    byArm(arms, (arm) => openSampler(listeners[arm])),
    byArm(arms, (arm) => (listeners[arm].pid === null ? null : rootsOf(listeners[arm]))),
  );
}

export const realApparatus: Apparatus = {
  startGenerator: (processes, signal) => startGenerator(processes, { signal }),
  place,
  openSampler: (listener) =>
    listener.pid === null || !samplingSupported() ? null : openSampler(...rootsOf(listener)),
  countersOf: ({ counters }) => counters,
  seesProcesses: true,
  coresOf: ({ pid }) => (pid === null ? null : readServingCores(pid).length || null),
  readHost,
};

async function place(generator: Generator, { ours, listeners }: PlacedTarget): Promise<Placement | null> {
  const allowed = readAllowedCores();
  const roots = Object.values(listeners).flatMap(rootsOf);
  return ours ? placeBoth(generator, roots, allowed) : placeAround(roots, generator, allowed);
}

async function placeBoth(
  { pids }: Generator,
  roots: readonly number[],
  allowed: readonly number[],
): Promise<Placement | null> {
  const placement = planPlacement(allowed, pids.length, readCoreThreads(allowed));
  if (placement === null) return null;
  const pinned = await Promise.all([
    pinToCores(pids, placement.generator),
    pinToCores(roots, placement.target),
  ]);
  if (pinned.every(Boolean)) return placement;
  await pinToCores([...pids, ...roots], allowed);
  return null;
}

async function placeAround(
  roots: readonly number[],
  { pids }: Generator,
  allowed: readonly number[],
): Promise<Placement | null> {
  const taken = [...new Set(roots.flatMap(readServingCores))].toSorted((a, b) => a - b);
  const placement = planAround(taken, allowed, pids.length, readCoreThreads(allowed));
  // It may have been restarted, and have been elsewhere before.
  const pinned = await pinToCores(pids, placement?.generator ?? allowed);
  return pinned ? placement : null;
}
