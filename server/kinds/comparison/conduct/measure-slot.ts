import { availableParallelism } from 'node:os';
import type { OperatingPoint, SlotShape } from '../../../../shared/load-profile.ts';
import type { LoadResult, ResourceUse, Slot } from '../../../../shared/slot.ts';
import type { TargetCounters } from '../../../../shared/target.ts';
import type { Arm, Transport } from '../../../../shared/transport.ts';
import type { Generator } from '../../../load/start-generator.ts';
import type { SocketLimits } from '../../../policy/socket-limits.ts';
import { type HostReading, hostUse } from '../../../sampling/host.ts';
import { type ProcessSampler, type ResourceReading, resourceUse } from '../../../sampling/process-sampler.ts';
import { valuesOfSlot } from '../analyse/slot-values.ts';

/** What a slot is measured with. */
export type Instruments = {
  generator: Generator;
  /** Of each arm's process tree; null where it cannot be read. */
  samplers: Record<Arm, ProcessSampler | null>;
  /** The target's own counts; null for a target that is not ours. */
  counters: ((arm: Arm) => Promise<TargetCounters>) | null;
  /** Called when a slot of the arm is about to begin; null when nothing happens there. */
  beforeSlot: ((arm: Arm) => Promise<void>) | null;
  /** Of the connections that slots will open; null when they open none. */
  readSocketLimits: (() => SocketLimits | null) | null;
  /** Reads the whole machine; null where it cannot be read. */
  readHost: () => HostReading | null;
  /** Memory at the end of the arm's slot before, to tell growth from. */
  memoryBytes: Map<Arm, number>;
  /** Connections that the arm's slot before opened, to tell how many ports the next one needs. */
  connectionsOpened: Map<Arm, number>;
  runStartedAtMs: number;
};

export type SlotOrder = {
  arm: Arm;
  transport: Transport;
  point: OperatingPoint;
  shape: SlotShape;
  ratePerS: number | null;
  rampMs: number;
  /** Row of the scenario's data that it begins with. */
  firstRow: number;
};

/** A slot, and what the target's own count of requests and handshakes says against it, if anything. */
export type MeasuredSlot = { slot: Slot; disagreement: string | null };

const curveEveryMs = 100;

/**
 * Runs one slot and reads the target's resources at its two idle edges: no request is split by an edge,
 * so CPU divided by transactions needs no correction.
 */
export async function measureSlot(order: SlotOrder, instruments: Instruments): Promise<MeasuredSlot> {
  const { arm, shape, ratePerS, rampMs, firstRow } = order;
  const { generator, counters, readHost } = instruments;
  const sampler = instruments.samplers[arm];
  await generator.prepare(arm);
  await instruments.beforeSlot?.(arm);

  const startedAtMs = performance.now();
  const countersBefore = (await counters?.(arm)) ?? null;
  const hostBefore = readHost();
  const ownBefore = process.cpuUsage();
  const before = sampler?.read() ?? null;
  const curve = traceCurve(sampler, startedAtMs);
  const load = await generator.run(arm, { ...shape, ratePerS, rampMs, firstRow }).finally(() => curve.stop());
  instruments.connectionsOpened.set(arm, load.connectionsOpened);
  const after = sampler?.read() ?? null;
  const own = process.cpuUsage(ownBefore);
  const hostAfter = readHost();
  const countersAfter = (await counters?.(arm)) ?? null;

  const target = resourcesOf(before, after, countersBefore, countersAfter, curve.peakBytes(), load.elapsedUs);
  const ownBusyUs = own.user + own.system + load.generatorCpuUs + (target?.cpuUs ?? 0);
  const growthBytes = takeGrowth(instruments.memoryBytes, arm, target);
  return {
    slot: {
      arm,
      transport: order.transport,
      point: order.point,
      startedAtMs: Math.round(startedAtMs - instruments.runStartedAtMs),
      load,
      target,
      host:
        hostBefore === null || hostAfter === null
          ? null
          : hostUse(hostBefore, hostAfter, ownBusyUs, availableParallelism()),
      curve: curve.points,
      values: valuesOfSlot(order.point, load, target, growthBytes),
    },
    disagreement: disagreementOf(load, countersBefore, countersAfter),
  };
}

function resourcesOf(
  before: ResourceReading | null,
  after: ResourceReading | null,
  countersBefore: TargetCounters | null,
  countersAfter: TargetCounters | null,
  peakBytes: number,
  elapsedUs: number,
): ResourceUse | null {
  const witnessUs =
    countersBefore === null || countersAfter === null ? null : countersAfter.cpuUs - countersBefore.cpuUs;
  if (before !== null && after !== null) {
    return { ...resourceUse(before, after, peakBytes), cpuWitnessUs: witnessUs };
  }
  if (countersBefore === null || countersAfter === null || witnessUs === null) return null;
  return {
    source: 'ipc',
    wallUs: Math.max(1, elapsedUs),
    cpuUs: witnessUs,
    cpuTickUs: null,
    cpuWitnessUs: witnessUs,
    rssPeakBytes: Math.max(countersBefore.rssBytes, countersAfter.rssBytes),
    memoryStartBytes: countersBefore.rssBytes,
    memoryEndBytes: countersAfter.rssBytes,
    diskReadBytes: null,
    diskWriteBytes: null,
    processes: 1,
  };
}

function takeGrowth(memoryBytes: Map<Arm, number>, arm: Arm, target: ResourceUse | null): number | null {
  if (target === null) return null;
  const before = memoryBytes.get(arm) ?? target.memoryStartBytes;
  memoryBytes.set(arm, target.memoryEndBytes);
  return target.memoryEndBytes - before;
}

/** Memory and CPU of the target every 100 ms, cheaply, for the charts and the peak. */
function traceCurve(sampler: ProcessSampler | null, startedAtMs: number) {
  const points: Slot['curve'] = [];
  if (sampler === null) return { points, peakBytes: () => 0, stop: () => {} };
  let lastMs = performance.now();
  let lastCpuUs = sampler.readCpuUs();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const cpuUs = sampler.readCpuUs();
    points.push({
      atMs: Math.round(nowMs - startedAtMs),
      rssBytes: sampler.readMemory(),
      cpuPercent: Math.round(Math.max(0, (cpuUs - lastCpuUs) / (nowMs - lastMs) / 10) * 10) / 10,
    });
    lastMs = nowMs;
    lastCpuUs = cpuUs;
  }, curveEveryMs);
  return {
    points,
    peakBytes: () => Math.max(0, ...points.map((point) => point.rssBytes)),
    stop: () => clearInterval(timer),
  };
}

function disagreementOf(
  load: LoadResult,
  before: TargetCounters | null,
  after: TargetCounters | null,
): string | null {
  if (before === null || after === null) return null;
  const pairs: [string, number, number][] = [
    ['requests', load.requests, after.requests - before.requests],
    ['full handshakes', load.handshakesFull, after.handshakesFull - before.handshakesFull],
    ['resumed handshakes', load.handshakesResumed, after.handshakesResumed - before.handshakesResumed],
  ];
  const wrong = pairs.find(([, ours, theirs]) => ours !== theirs);
  return wrong === undefined ? null : `the generator counted ${wrong[1]} ${wrong[0]}, the target ${wrong[2]}`;
}
