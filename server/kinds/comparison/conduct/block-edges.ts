import { byArmInTurn, namesOf } from '../../../../shared/base/arms.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { LoadResult, ResourceUse, Slot } from '../../../../shared/kinds/comparison/slot.ts';
import type { TargetCounters } from '../../../../shared/target/target.ts';
import type { SocketLimits } from '../../../base/addresses/load-limits.ts';
import type { HostedGenerator } from '../../../drive/hosts/take-generator-hosts.ts';
import type { LoadBench } from '../../../measure/bench.ts';
import { busyThreads, type ResourceReading, resourceUse } from '../../../targets/sampling/process-sampler.ts';
import type { Strangers } from '../../../targets/sampling/programs.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';

/** All that is read when nothing is in flight, before and after what is measured. */
export type Edge<Name extends string> = {
  resources: Record<Name, ResourceReading | null>;
  counters: Record<Name, TargetCounters> | null;
};

export async function readEdge<Name extends string>({
  arms,
  readings,
  counters,
}: Instruments<Name>): Promise<Edge<Name>> {
  return {
    resources: await readings.readAll(),
    counters: counters === null ? null : await byArmInTurn(namesOf(arms), counters),
  };
}

/**
 * Resources that an arm used between two edges.
 * @param cpuUs CPU of its turns if the edges also contain work of other arms; else null
 * @param busiestUs the part of one program in it; null if the target works alone
 */
export function resourcesBetween<Name extends string>(
  arm: Name,
  before: Edge<Name>,
  after: Edge<Name>,
  load: LoadResult,
  {
    cpuUs,
    busiestUs = null,
    curve,
  }: { cpuUs: number | null; busiestUs?: number | null; curve: Slot['curve'] },
): ResourceUse | null {
  const [from, to] = [before.resources[arm], after.resources[arm]];
  const [counted, recounted] = [before.counters?.[arm], after.counters?.[arm]];
  const witnessUs = counted === undefined || recounted === undefined ? null : recounted.cpuUs - counted.cpuUs;
  if (from !== null && to !== null) {
    const use = resourceUse(from, to, Math.max(0, ...curve.map(({ rssBytes }) => rssBytes)));
    const wallUs = Math.max(1, load.elapsedUs);
    // A shared tree works for all arms between the edges.
    const threads = busyThreads(from, to, cpuUs === null ? wallUs : use.wallUs);
    const active = {
      ...{ ...use, wallUs, cpuWitnessUs: witnessUs },
      ...(threads === null ? {} : { busyThreads: threads }),
      ...(busiestUs === null ? {} : { busiestUs }),
    };
    return cpuUs === null ? active : { ...active, cpuUs, cpuTickUs: null, cpuWitnessUs: null };
  }
  if (counted === undefined || recounted === undefined || witnessUs === null) return null;
  return {
    source: 'ipc',
    wallUs: Math.max(1, load.elapsedUs),
    cpuUs: witnessUs,
    cpuTickUs: null,
    cpuWitnessUs: witnessUs,
    rssPeakBytes: Math.max(counted.rssBytes, recounted.rssBytes),
    memoryStartBytes: counted.rssBytes,
    memoryEndBytes: recounted.rssBytes,
    diskReadBytes: null,
    diskWriteBytes: null,
    processes: 1,
  };
}

/** Growth of the arm's memory since the previous block; null if it is not known. */
export function takeGrowth<Name extends string>(
  { memoryBytes }: Pick<Instruments<Name>, 'memoryBytes'>,
  arm: Name,
  target: ResourceUse | null,
): number | null {
  if (target === null) return null;
  const before = memoryBytes.get(arm) ?? target.memoryStartBytes;
  memoryBytes.set(arm, target.memoryEndBytes);
  return target.memoryEndBytes - before;
}

/** The first count that the two ends do not share, in a sentence; null when they agree. */
export function disagreementBetween<Name extends string>(
  loads: Partial<Record<Name, LoadResult>>,
  before: Edge<Name>,
  after: Edge<Name>,
): string | null {
  for (const arm of Object.keys(loads) as Name[]) {
    const [load, counted, recounted] = [loads[arm], before.counters?.[arm], after.counters?.[arm]];
    if (load === undefined || counted === undefined || recounted === undefined) continue;
    const { requests, connectionsOpened, handshakesFull, handshakesResumed } = load;
    const pairs: [string, number, number][] = [
      ['requests', requests, recounted.requests - counted.requests],
      ['connections', connectionsOpened, recounted.connections - counted.connections],
      ['full handshakes', handshakesFull, recounted.handshakesFull - counted.handshakesFull],
      ['resumed handshakes', handshakesResumed, recounted.handshakesResumed - counted.handshakesResumed],
    ];
    const wrong = pairs.find(([, ours, theirs]) => ours !== theirs);
    if (wrong !== undefined) {
      return `The two ends disagree: the generator counted ${wrong[1]} ${wrong[0]}, the target ${wrong[2]}.`;
    }
  }
  return null;
}

/** The bench of a comparison's launch, with the counters that are read at the edges of its blocks. */
export type Instruments<Name extends string = Arm> = LoadBench<Name> & {
  readings: Readings<Name>;
  /** Root of each arm's process tree; null if unknown. */
  roots: Record<Name, number | null>;
  /** Absent where processes cannot be seen. */
  strangers?: Strangers;
  /** The target's own counts; null for a target that is not ours. */
  counters: ((arm: Name) => Promise<TargetCounters>) | null;
  /** Limits on the connections that slots will open; null if they do not matter. */
  readSocketLimits: (() => SocketLimits | null) | null;
  /** Memory at the end of the arm's block before, to tell growth from. */
  memoryBytes: Map<Name, number>;
  /** Connections that the arm's slot before opened, to tell how many ports the next one needs. */
  connectionsOpened: Map<Name, number>;
  runStartedAtMs: number;
  hosts?: Pick<HostedGenerator, 'recover' | 'describe' | 'idleUs'>;
};
