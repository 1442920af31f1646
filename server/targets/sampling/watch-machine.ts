import { availableParallelism } from 'node:os';
import type { MachineUse as WatchMachineUse } from '../../../shared/results/summary.ts';
import { CpuLedger } from '../../base/process/cpu.ts';
import { aliveOf, ProcessTree } from '../../base/process/proc.ts';
import { type HostReading, hostUse, readHost } from './process-sampler.ts';
import type { RemoteSource } from './readings.ts';

export type MachineUse = {
  stealRatio: number | null;
  foreignRatio: number | null;
  /** Absent if TLS Toll's processes were not read. */
  oursRatio?: number;
};

type Watched = {
  readHost: () => HostReading | null;
  readings?: { remote: RemoteSource | null };
  /** Absent if this process is TLS Toll's only one. */
  own?: OwnCpu;
};

/**
 * The machine's use since the last call; with two machines, that of the more disturbed one. The kernel reports it in steps of 10 ms, so
 * use intervals of at least a second. For the target's machine the last reading is used, so call this after reading the target.
 * @param targetUs CPU time of the target meanwhile; null if unknown, and then the use by others is unknown too
 * @param generatorUs CPU time of the generator meanwhile
 */
export function watchMachine({
  readHost,
  readings,
  own,
}: Watched): (targetUs: number | null, generatorUs: number) => MachineUse {
  const readOwnUs = (own ?? ofThisProcess).readUs;
  let before: HostReading | null = readHost();
  let ownUs = readOwnUs();
  let atMs = performance.now();
  const elsewhere = watchTargetHost(readings?.remote ?? null);
  return (targetUs, generatorUs) => {
    const now = readHost();
    const oursUs = readOwnUs() - ownUs;
    const machineUs = (performance.now() - atMs) * 1000 * availableParallelism();
    const there = elsewhere(targetUs);
    const hereUs = generatorUs + oursUs + (there === null ? (targetUs ?? 0) : 0);
    const use = before === null || now === null ? null : hostUse(before, now, hereUs, availableParallelism());
    before = now;
    ownUs += oursUs;
    atMs = performance.now();
    return {
      stealRatio: higher(use?.stealRatio ?? null, there?.stealRatio ?? null),
      foreignRatio: targetUs === null ? null : higher(use?.foreignRatio ?? null, there?.foreignRatio ?? null),
      ...(own === undefined ? {} : { oursRatio: rounded(oursUs / machineUs) }),
    };
  };
}

/** Null while the target is on this machine. */
function watchTargetHost(remote: RemoteSource | null): (targetUs: number | null) => MachineUse | null {
  let before = remote?.lastHost() ?? null;
  return (targetUs) => {
    const now = remote?.lastHost() ?? null;
    const use =
      before === null || now === null
        ? null
        : hostUse(before, now, (targetUs ?? 0) + now.agentUs - before.agentUs, now.cores);
    before = now;
    return use;
  };
}

function higher(one: number | null, other: number | null): number | null {
  const most = one === null || other === null ? (one ?? other) : Math.max(one, other);
  return most === null ? null : rounded(most);
}

/** Rounded, because every window stores its shares and the kernel's counters move in steps of 10 ms. */
function rounded(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}

/**
 * CPU of this process and its children except targets and load generators: relays, keepers, browsers, and whatever else serves a
 * dashboard. Read from the processes' own clocks, because it is small compared with the kernel's ticks of 10 ms.
 */
export type OwnCpu = {
  /** CPU so far; only differences mean anything. A process that starts and ends between two readings is missed. */
  readUs(): number;
};

/** @param apart root processes of the targets and generators */
export function openOwnCpu(apart: readonly number[]): OwnCpu {
  const all = new ProcessTree(...aliveOf([process.pid]));
  const others = new ProcessTree(...aliveOf(apart));
  const ledger = new CpuLedger();
  const readUs = () => {
    const left = new Set(others.refresh().map(({ pid }) => pid));
    const own = all.refresh().filter(({ pid }) => !left.has(pid));
    if (own.length === 0) return ofThisProcess.readUs();
    ledger.observe(own);
    // Ended children are excluded, because they include targets and generators of earlier runs.
    return ledger.ownUs;
  };
  all.list();
  others.list();
  readUs();
  return { readUs };
}

/** CPU of this process without its children. */
const ofThisProcess: OwnCpu = {
  readUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};

type MachineWatch = { look(): WatchMachineUse; close(): void };

type Reading = { host: HostReading; ownUs: number };

const everyMs = 1000;
/** One more than the seconds that are told of. */
const mostReadings = 11;
/** A page asks every two seconds; nobody is looking any more when it has not for so long. */
const patienceMs = 15_000;

/** Reads once a second from the first look on, and stops when the looks do. */
export function openMachineWatch(read: () => Reading | null = readBoth): MachineWatch {
  let readings: Reading[] = [];
  let timer: NodeJS.Timeout | null = null;
  let lookedAtMs = 0;

  function take(): void {
    const reading = read();
    if (reading !== null) readings = [...readings, reading].slice(-mostReadings);
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    readings = [];
  }

  return {
    look() {
      lookedAtMs = performance.now();
      if (timer === null) {
        take();
        timer = setInterval(() => (performance.now() - lookedAtMs > patienceMs ? stop() : take()), everyMs);
        timer.unref();
      }
      return spentBetween(readings[0], readings.at(-1));
    },
    close: stop,
  };
}

function spentBetween(first: Reading | undefined, last: Reading | undefined): WatchMachineUse {
  if (first === undefined || last === undefined || last === first) {
    return { overS: 0, stealRatio: null, foreignRatio: null };
  }
  const overS = Math.round((last.host.atUs - first.host.atUs) / 1e6);
  return { overS, ...hostUse(first.host, last.host, last.ownUs - first.ownUs, availableParallelism()) };
}

function readBoth(): Reading | null {
  const host = readHost();
  const { user, system } = process.cpuUsage();
  return host === null ? null : { host, ownUs: user + system };
}
