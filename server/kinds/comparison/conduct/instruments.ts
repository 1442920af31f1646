import type { TargetCounters } from '../../../../shared/target.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import type { Generator } from '../../../load/start-generator.ts';
import type { SocketLimits } from '../../../policy/socket-limits.ts';
import type { HostReading } from '../../../sampling/host.ts';
import type { ProcessSampler } from '../../../sampling/process-sampler.ts';

/** What one launch is measured with. */
export type Instruments = {
  generator: Generator;
  /** Of each arm's process tree; null where it cannot be read. */
  samplers: Record<Arm, ProcessSampler | null>;
  /** Of each arm's process tree; null where it is not known. */
  roots: Record<Arm, number | null>;
  /** Arms have a process tree in common, so that CPU is only theirs while no other arm is at work. */
  sharedTrees: boolean;
  /** The target's own counts; null for a target that is not ours. */
  counters: ((arm: Arm) => Promise<TargetCounters>) | null;
  /** Called when a window or a slot is about to begin; null when nothing happens there. */
  beforeWindow: (() => Promise<void>) | null;
  /** Of the connections that slots will open; null when they open none. */
  readSocketLimits: (() => SocketLimits | null) | null;
  /** Reads the whole machine; null where it cannot be read. */
  readHost: () => HostReading | null;
  /** Memory at the end of the arm's block before, to tell growth from. */
  memoryBytes: Map<Arm, number>;
  /** Connections that the arm's slot before opened, to tell how many ports the next one needs. */
  connectionsOpened: Map<Arm, number>;
  runStartedAtMs: number;
};

export function byArm<T>(of: (arm: Arm) => T): Record<Arm, T> {
  return { baseline: of('baseline'), comparison: of('comparison'), twin: of('twin') };
}

export async function byArmInTurn<T>(of: (arm: Arm) => Promise<T>): Promise<Record<Arm, T>> {
  return { baseline: await of('baseline'), comparison: await of('comparison'), twin: await of('twin') };
}

/** Whether arms have a process tree in common. A target whose processes cannot be read does not say. */
export function sharesTrees({ samplers, roots }: Pick<Instruments, 'samplers' | 'roots'>): boolean {
  return arms.every((arm) => samplers[arm] !== null) && new Set(Object.values(roots)).size < arms.length;
}

/** CPU of each arm's tree so far, µs; null where one of them cannot be read. */
export function readCpu({ samplers }: Pick<Instruments, 'samplers'>): Record<Arm, number> | null {
  if (arms.some((arm) => samplers[arm] === null)) return null;
  return byArm((arm) => samplers[arm]?.readCpuUs() ?? 0);
}

/** CPU of each arm's tree between two readings, µs; null where either is. */
export function gainOf(
  before: Record<Arm, number> | null,
  after: Record<Arm, number> | null,
): Record<Arm, number> | null {
  if (before === null || after === null) return null;
  return byArm((arm) => Math.max(0, after[arm] - before[arm]));
}

/** Of all arms together; a tree that arms share counts once. */
export function sumOfTrees({ roots }: Pick<Instruments, 'roots'>, cpuUs: Record<Arm, number>): number {
  const counted = arms.filter(
    (arm, index) => arms.findIndex((other) => roots[other] === roots[arm]) === index,
  );
  return counted.reduce((sum, arm) => sum + cpuUs[arm], 0);
}
