import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { readProc } from '../../process/proc-files.ts';
import { readHost } from '../host.ts';
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
    const { atUs, cpuUs, rssBytes, ...whole } = sampler.read();
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
  return { ...host, cores: availableParallelism(), agentUs: user + system, machine: machineId() };
}

let known: string | null = null;

/** The same for all programs of one running kernel, and another after it was started again. */
export function machineId(): string {
  known ??= createHash('sha256')
    .update(readProc('/proc/sys/kernel/random/boot_id') ?? '')
    .digest('hex')
    .slice(0, 32);
  return known;
}
