import { availableParallelism } from 'node:os';
import { readHost } from '../host.ts';
import { machineId } from '../machine-id.ts';
import { sampleProcesses } from '../process-sampler.ts';
import { watchMs } from '../readings.ts';
import type { WatchedProcesses } from '../watched-processes.ts';
import type { AgentReading, Depth } from './protocol.ts';

/** The local sampler, as deep as it is asked to read. */
export function readerOf(watched: WatchedProcesses): (depth: Depth) => AgentReading {
  const sampler = sampleProcesses(watched);
  sampler.watch(watchMs);
  const now = () => performance.now() * 1000;
  const readCurve = (): AgentReading => ({
    atUs: now(),
    cpuUs: sampler.readCpuUs(),
    rssBytes: sampler.readMemory(),
    host: null,
    whole: null,
  });
  const readTurn = (): AgentReading => {
    sampler.blockUntilAsleep();
    return { atUs: now(), cpuUs: sampler.readCpuUs(), rssBytes: null, host: null, whole: null };
  };
  const readEdge = (): AgentReading => {
    sampler.blockUntilAsleep();
    // Busy threads aren't needed, because the permit limits the throughput of a remote target.
    const { atUs, cpuUs, rssBytes, threadsUs: _, ...whole } = sampler.read();
    return { atUs, cpuUs, rssBytes, host: readMachine(), whole };
  };
  const readers: Record<Depth, () => AgentReading> = {
    turn: readTurn,
    window: () => ({ ...readTurn(), host: readMachine() }),
    edge: readEdge,
    curve: readCurve,
  };
  return (depth) => readers[depth]();
}

function readMachine(): AgentReading['host'] {
  const host = readHost();
  if (host === null) return null;
  const { user, system } = process.cpuUsage();
  return { ...host, cores: availableParallelism(), agentUs: user + system, machine: machineId() ?? '' };
}
