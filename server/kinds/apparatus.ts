import { byArm } from '../../shared/base/arms.ts';
import type { Environment } from '../../shared/base/environment.ts';
import type { AtLoad, Placement } from '../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../shared/kinds/comparison/block.ts';
import type { Past } from '../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../shared/kinds/comparison/run-request.ts';
import type { Scenario, SecretValues } from '../../shared/scenario/scenario.ts';
import { type Listener, rootsOf } from '../../shared/target/target.ts';
import {
  pinToCores,
  planAround,
  planPlacement,
  readAllowedCores,
  readCoreThreads,
  readServingCores,
} from '../base/process/cores.ts';
import type { GeneratorHosts } from '../drive/hosts/generator-hosts.ts';
import type { PodsOffer } from '../drive/hosts/offer-pods.ts';
import { type Generator, startGenerator } from '../drive/load/start-generator.ts';
import type { OpenTarget, RunHouse } from '../targets/open/open-target.ts';
import {
  type HostReading,
  openSampler,
  type ProcessSampler,
  readHost,
  samplingSupported,
} from '../targets/sampling/process-sampler.ts';
import { localReadings, type Readings } from '../targets/sampling/readings.ts';

type PlacedTarget = Pick<OpenTarget<string>, 'ours' | 'listeners'>;

/** Instruments of a run. Tests bring a script instead, which no other program on the machine can disturb. */
export type Apparatus = {
  /** @param signal ends its load at once */
  startGenerator(processes: number, signal?: AbortSignal): Promise<Generator>;
  /**
   * Keeps generator and target on cores of their own; null where that is not possible. A target that is not ours stays
   * where it is: the generator keeps off its cores if it has not all of them.
   */
  place(generator: Generator, target: PlacedTarget): Promise<Placement | null>;
  /** Samples an arm's process tree; null if it cannot be read. Arms may share one: only one is loaded at a time. */
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

/** Readings of process trees on this machine. */
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

export type ConfiguredHouse = RunHouse & {
  /** Without one of its own it measures for real. No environment variable and no request brings one. */
  apparatus?: Apparatus;
  /** Hosts that have joined with their generator, and pods if it may create them. Null where none can join; left out where only a runner knows. */
  generatorHosts?: (GeneratorHosts & { pods?: PodsOffer | null }) | null;
  /** Facts from earlier runs for one that has been measured; omitted if none are stored. */
  past?(asked: Asked): Promise<Past>;
  /** Facts and blocks of a finished run; absent like the past. Throws run_not_found if it is gone. */
  earlier?(id: string): Promise<EarlierRun>;
  /** Loads of this machine, by question and software; absent like the past. */
  loads?: LoadStore;
};

/** A finished run, to be continued. */
export type EarlierRun = {
  id: string;
  startedAt: number;
  endedAt: number;
  facts: RunFacts;
  blocks: Block[];
  /** Environments of the measuring machine and of this one. */
  environments: { before: Environment; here: Environment };
};

/** A run after its preflight. */
type Asked = { request: RunRequest; facts: RunFacts };

type FoundLoad = Pick<AtLoad, 'users' | 'sides'>;

export type StoredLoad = FoundLoad & {
  /** The run that found it, which may be deleted. */
  runId: string;
  at: number;
};

/** Each question has one load per machine. The run that finds it stores it for later runs. */
type LoadStore = {
  /** Null if none was found yet. */
  find(asked: Asked): Promise<StoredLoad | null>;
  /**
   * Keeps an entry that another run has stored meanwhile.
   * @param replacing the result of `find` that no longer fits; else null
   */
  insert(asked: Asked, found: FoundLoad & { runId: string }, replacing: StoredLoad | null): Promise<void>;
  /** Makes the next run search again. */
  delete(asked: Asked): Promise<void>;
};

/** Place in which measurements run. */
export type House = ConfiguredHouse & {
  /** The scenario that a request names or holds, ready to be sent. Throws scenario_not_found, secret_missing, invalid_request. */
  chooseScenario(
    asked: string | Scenario,
    secrets: SecretValues,
  ): Promise<{ scenario: Scenario; revisionId: string | null }>;
};
