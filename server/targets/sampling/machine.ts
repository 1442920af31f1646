import { createHash } from 'node:crypto';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import type { Environment } from '../../../shared/base/environment.ts';
import type { ProgramUse, MachineUse as WatchMachineUse } from '../../../shared/results/summary.ts';
import type { SocketLimits } from '../../base/addresses/load-limits.ts';
import { CpuLedger } from '../../base/process/cpu.ts';
import {
  aliveOf,
  type LiveProcess,
  listPids,
  ProcessTree,
  readProc,
  tickUs,
  withDescendants,
} from '../../base/process/proc.ts';
import { type HostReading, hostUse, readHost } from './process-sampler.ts';
import { loudestOf, programName } from './programs.ts';
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

type Processes = { atMs: number; alive: ReadonlyMap<number, LiveProcess> };

/** Below this, a tick of the kernel’s clock is a large share. */
const leastMs = 1000;

/**
 * Programs that used the CPU since the earliest look within the patience of a watch, which is longer than the pages wait between two looks.
 * A program that started and ended between two looks is missed. A look reads each process, about 10 µs.
 */
export function watchPrograms(): () => ProgramUse {
  let looks: Processes[] = [];
  return () => {
    const now = {
      atMs: performance.now(),
      alive: new Map(aliveOf(listPids()).map((each) => [each.pid, each])),
    };
    looks = [...looks.filter(({ atMs }) => now.atMs - atMs <= patienceMs), now];
    const [first = now] = looks;
    return now.atMs - first.atMs < leastMs ? { loudest: [], ours: null } : programsBetween(first, now);
  };
}

function programsBetween(first: Processes, last: Processes): ProgramUse {
  const ms = last.atMs - first.atMs;
  const own = new Set(withDescendants(process.pid));
  const us = new Map<string, number>();
  let oursUs = 0;
  for (const [pid, { stat }] of last.alive) {
    const before = first.alive.get(pid)?.stat;
    const earlier = before?.startTicks === stat.startTicks ? before.ownTicks : 0;
    const usedUs = (stat.ownTicks - earlier) * tickUs;
    if (own.has(pid)) oursUs += usedUs;
    else if (usedUs > 0) us.set(programName(pid), (us.get(programName(pid)) ?? 0) + usedUs);
  }
  return { loudest: loudestOf({ us, ms }), ours: rounded(oursUs / (ms * 1000 * availableParallelism())) };
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

let known: string | null = null;

/** The same for all programs of one running kernel, and another after it was started again; null where the kernel does not say. */
export function machineId(): string | null {
  known ??= digestOf(readProc('/proc/sys/kernel/random/boot_id'));
  return known;
}

/**
 * An ID that survives a restart of the kernel, from systemd's ID of the installation (machine-id(5), which asks programs to hash it).
 * Copies of an image may share it. Containers often have none, and are identified by their running kernel.
 */
export function installationId(): string | null {
  return digestOf(readProc('/etc/machine-id')?.trim() || null) ?? machineId();
}

function digestOf(id: string | null): string | null {
  return id === null ? null : createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/**
 * Everything about this machine that can move a run's figures.
 * @param product name and version of what measures
 * @param sharedMachine whether the target runs here as well
 */
export function describeEnvironment(product: string, sharedMachine: boolean): Environment {
  const cpuInfo = readProc('/proc/cpuinfo') ?? '';
  const machine = machineId();
  return {
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    cpuFlags: parseCpuFlags(cpuInfo),
    cores: availableParallelism(),
    ...(machine === null ? {} : { machine }),
    memoryBytes: totalmem(),
    governor: readProc('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim() ?? null,
    node: process.versions.node,
    openssl: process.versions.openssl,
    product,
    sharedMachine,
  };
}

/** Instructions that OpenSSL picks its ciphers' and hashes' code by, on x86-64 and on 64-bit ARM. */
const cryptoFlags = new Set([
  ...['aes', 'pclmulqdq', 'avx', 'avx2', 'bmi2', 'adx', 'sha_ni', 'vaes', 'vpclmulqdq', 'gfni'],
  ...['avx512f', 'avx512vl', 'avx512bw', 'avx512ifma'],
  ...['asimd', 'pmull', 'sha1', 'sha2', 'sha3', 'sha512', 'sve', 'sve2'],
]);

export function parseCpuFlags(cpuInfo: string): string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(cpuInfo)?.[1] ?? '';
  return line.split(' ').filter((flag) => cryptoFlags.has(flag));
}

/**
 * Kernel limits for sockets; null without `/proc`.
 * @param owners processes by the name that a message calls them
 * @param elsewhere whether connections lead to another host
 * @param sources number of addresses of this machine that connections come from
 */
export function readSocketLimits(
  owners: readonly { owner: string; pid: number }[],
  { elsewhere = false, sources = 1 }: { elsewhere?: boolean; sources?: number } = {},
): SocketLimits | null {
  const range = numbersOf(readProc('/proc/sys/net/ipv4/ip_local_port_range'));
  const [first, last] = range;
  if (first === undefined || last === undefined) return null;
  const [reuse = 0] = numbersOf(readProc('/proc/sys/net/ipv4/tcp_tw_reuse'));
  return {
    ephemeralPorts: sources * (last - first + 1),
    timeWait: Number(/^TCP:.* tw (\d+)/m.exec(readProc('/proc/net/sockstat') ?? '')?.[1] ?? 0),
    // 1: everywhere. 2: on loopback.
    reusesTimeWait: elsewhere ? reuse === 1 : reuse >= 1,
    descriptors: owners.map(({ owner, pid }) => ({ owner, limit: descriptorsOf(pid) })),
  };
}

/** The soft limit, which is the one that counts; null when it is not known or there is none. */
function descriptorsOf(pid: number): number | null {
  const limit = /^Max open files +(\d+)/m.exec(readProc(`/proc/${pid}/limits`) ?? '')?.[1];
  return limit === undefined ? null : Number(limit);
}

function numbersOf(text: string | null): number[] {
  return text === null ? [] : (text.match(/\d+/g) ?? []).map(Number);
}
