import { existsSync, readFileSync } from 'node:fs';
import { problem } from '../../../shared/base/problem.ts';
import type { Throttling } from '../../../shared/kinds/comparison/run.ts';
import type { HostUse, ResourceUse } from '../../../shared/kinds/comparison/slot.ts';
import { CpuLedger, cpuClock, readByTicks, type Sleep, SleepWatch } from '../../base/process/cpu.ts';
import { type LiveProcess, listProc, nullWhenHidden, readProc, tickUs } from '../../base/process/proc.ts';
import { throttlingOf, type WatchedProcesses, watchTrees } from './cgroup.ts';

/** A process tree at one moment. CPU and disk count up from an arbitrary start; only differences mean anything. */
export type ResourceReading = {
  /** Monotonic. */
  atUs: number;
  /** By the CPU clock of each process, with what is known of children that have ended. */
  cpuUs: number;
  /** The same by the kernel's ticks of 10 ms: what `cpuUs` is checked against; null without. */
  cpuTickUs: number | null;
  /** CPU of children that came and went, known in ticks only and part of both counts; omitted if there were none. */
  cpuChildrenUs?: number | undefined;
  /** Step of `cpuUs`, if that is not in ns. */
  cpuStepUs?: number | undefined;
  /** Processes that were seen to end and whose CPU is lost, as nobody waited for them; left out where there were none. */
  unwaited?: number | undefined;
  /** Why there is no CPU clock, where `cpuUs` is in ticks for that. */
  noClock?: string | undefined;
  /** Left out where no CPU quota holds for the processes. */
  throttling?: Throttling | undefined;
  rssBytes: number;
  /** Equal to `rssBytes` where PSS may not be read. */
  pssBytes: number;
  /** Null where another user's process does not let them be read. */
  diskReadBytes: number | null;
  diskWriteBytes: number | null;
  processes: number;
  /** CPU of each live thread, µs, by process and thread; absent if it cannot be read, or for very many threads. */
  threadsUs?: ReadonlyMap<string, number> | undefined;
};

export type ProcessSampler = {
  /** Everything, with the processes listed anew (about a millisecond). Throws target_died once what is watched has ended. */
  read(): ResourceReading & { cpuTickUs: number };
  /** Resident bytes of the processes of the last listing; cheap, and 0 once they have ended. */
  readMemory(): number;
  /** Cheap, and stands still once they have ended. */
  readCpuUs(): number;
  /** Steps of `readCpuUs`, µs, without a CPU clock or with children that come and go; else null. */
  stepUs(): number | null;
  /**
   * Looks again and again for so long, while they work: of processes that come and go nothing is left when they have gone. Returns
   * what ends it.
   */
  watch(ms: number): () => void;
  /** Waits until they sleep, and lets this thread do other things meanwhile. */
  awaitAsleep(): Promise<Sleep>;
  /** The same without: this thread waits too. */
  blockUntilAsleep(): Sleep;
};

/** Whether this platform lets resources of other processes be read. */
export function samplingSupported(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/task');
}

/** Reads processes and all their descendants. Throws as `watchTrees` does. */
export function openSampler(...rootPids: readonly number[]): ProcessSampler {
  return sampleProcesses(watchTrees(rootPids));
}

/**
 * Reads processes through Linux's `/proc`, without rights beyond the owner's. Throws internal where `samplingSupported()` is
 * false.
 */
export function sampleProcesses(watched: WatchedProcesses): ProcessSampler {
  if (!samplingSupported()) throw problem('internal', 'This platform has no /proc to read processes from.');
  const ledger = new CpuLedger();
  const ticks = new CpuLedger(readByTicks);
  const pids = () => watched.members.map((member) => member.pid);
  const sleep = new SleepWatch(pids);
  const totalUs = ({ ownUs, childrenUs }: CpuLedger) => ownUs + childrenUs;
  const readCpuUs = () => {
    ledger.observe(watched.refresh());
    return totalUs(ledger);
  };
  let steppedUs = 0;
  watched.list();

  return {
    read() {
      const members = watched.list();
      ledger.observe(members);
      ticks.observe(members);
      const { childrenUs } = ledger;
      const { why } = cpuClock();
      const unwaited = isAnyUnwaited(ledger, members) ? ledger.ended.processes : 0;
      const inTicks = why !== null || childrenUs > steppedUs;
      steppedUs = childrenUs;
      const disk = diskOf(members);
      const throttling = throttlingOf(members.map(({ pid }) => pid));
      return {
        atUs: performance.now() * 1000,
        cpuUs: totalUs(ledger),
        cpuTickUs: totalUs(ticks),
        ...(childrenUs === 0 ? {} : { cpuChildrenUs: childrenUs }),
        ...(inTicks ? { cpuStepUs: tickUs } : {}),
        ...(why === null ? {} : { noClock: why }),
        ...(unwaited === 0 ? {} : { unwaited }),
        ...(throttling === null ? {} : { throttling }),
        rssBytes: sum(members, ({ pid }) => readRssBytes(pid)),
        pssBytes: sum(members, ({ pid }) => readPssBytes(pid) ?? readRssBytes(pid)),
        diskReadBytes: disk?.readBytes ?? null,
        diskWriteBytes: disk?.writeBytes ?? null,
        processes: members.length,
        threadsUs: readThreads(members),
      };
    },
    readMemory: () => sum(pids(), readRssBytes),
    readCpuUs,
    stepUs: () => (cpuClock().why !== null || ledger.childrenUs > 0 ? tickUs : null),
    watch(ms) {
      const fromMs = performance.now();
      const look = () => {
        const atMs = performance.now();
        readCpuUs();
        const tookMs = performance.now() - atMs;
        if (atMs - fromMs < ms) timer = setTimeout(look, Math.max(lookEveryMs, 10 * tookMs)).unref();
      };
      let timer = setTimeout(look, 0).unref();
      return () => clearTimeout(timer);
    },
    awaitAsleep: () => sleep.await(),
    blockUntilAsleep: () => sleep.block(),
  };
}

const lookEveryMs = 5;
/** A server may end a few that have nothing to do with its requests. */
const fewEnded = 10;

/** Whether CPU of ended processes is lost. The parent that waits for a process gets its ticks, which are cut by 20 ms at most. */
export function isAnyUnwaited({ ended }: CpuLedger, members: readonly LiveProcess[]): boolean {
  const { processes, countedUs, unwaitedUs } = ended;
  if (processes < fewEnded) return false;
  if (members.some(({ pid }) => ignoresChildren(pid))) return true;
  return unwaitedUs > 2 * tickUs * members.length + countedUs / 2;
}

/**
 * Resources that the tree used between two readings of one sampler.
 * @param memoryPeakBytes highest resident size seen in between, 0 when none was read
 */
export function resourceUse(
  before: ResourceReading,
  after: ResourceReading,
  memoryPeakBytes: number,
): ResourceUse {
  return {
    source: 'proc',
    wallUs: after.atUs - before.atUs,
    cpuUs: after.cpuUs - before.cpuUs,
    cpuTickUs:
      before.cpuTickUs === null || after.cpuTickUs === null ? null : after.cpuTickUs - before.cpuTickUs,
    ...(after.cpuStepUs === undefined ? {} : { cpuStepUs: after.cpuStepUs }),
    cpuWitnessUs: null,
    rssPeakBytes: Math.max(before.rssBytes, after.rssBytes, memoryPeakBytes),
    memoryStartBytes: before.pssBytes,
    memoryEndBytes: after.pssBytes,
    diskReadBytes: gain(before.diskReadBytes, after.diskReadBytes),
    diskWriteBytes: gain(before.diskWriteBytes, after.diskWriteBytes),
    processes: after.processes,
  };
}

/** Share of a core. A thread that uses less does not serve. */
const busyShare = 0.05;

/**
 * Threads that were busy between two readings of one sampler. They limit the cores that a server can use. Null if they cannot be read.
 * Excludes threads that ended in between.
 * @param activeUs time in which the tree was working
 */
export function busyThreads(
  before: ResourceReading,
  after: ResourceReading,
  activeUs: number,
): number | null {
  if (before.threadsUs === undefined || after.threadsUs === undefined) return null;
  const used = [...after.threadsUs].map(([id, us]) => us - (before.threadsUs?.get(id) ?? 0));
  return used.filter((us) => us > busyShare * activeUs).length;
}

/** A server with more threads is not limited by them, and reading each takes 8 µs. */
const mostThreads = 512;

/** From the scheduler's count, in ns: proc_pid_schedstat in the kernel's documentation of the scheduler. */
function readThreads(members: readonly LiveProcess[]): ReadonlyMap<string, number> | undefined {
  const threads = members.flatMap(({ pid }) =>
    listProc(`/proc/${pid}/task`).map((tid) => `${pid}/task/${tid}`),
  );
  if (threads.length > mostThreads) return undefined;
  const read = threads.flatMap((thread) => {
    const [ns] = readProc(`/proc/${thread}/schedstat`)?.split(' ') ?? [];
    return ns === undefined || ns === '' ? [] : [[thread, Number(ns) / 1000] as const];
  });
  return read.length === 0 ? undefined : new Map(read);
}

/** A process that ended unwaited for takes its bytes along; less than nothing was never written. */
function gain(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.max(0, after - before);
}

/** Null as soon as one process hides its figures: a part would pass for the whole. */
function diskOf(members: readonly LiveProcess[]): DiskReading | null {
  const total: DiskReading = { readBytes: 0, writeBytes: 0 };
  for (const { pid } of members) {
    const disk = readDisk(pid);
    if (disk === null) return null;
    total.readBytes += disk.readBytes;
    total.writeBytes += disk.writeBytes;
  }
  return total;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** Bytes that a process caused to be read from and written to storage; the page cache's hits are not among them. */
type DiskReading = { readBytes: number; writeBytes: number };

/** Null when it is not ours to read. Includes ended threads and children that were waited for. */
function readDisk(pid: number): DiskReading | null {
  const text = readProc(`/proc/${pid}/io`);
  if (text === null || text === '') return null;
  return { readBytes: fieldOf(text, 'read_bytes'), writeBytes: fieldOf(text, 'write_bytes') };
}

function fieldOf(text: string, name: string): number {
  return Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

const sigChld = 17;

/**
 * Whether a process lets its children vanish instead of waiting for them: the kernel then tells nobody what they used. Source:
 * wait(2), proc_pid_status(5). The number of the signal is Linux's on all but Alpha, MIPS and SPARC.
 */
function ignoresChildren(pid: number): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> BigInt(sigChld - 1)) & 1n) === 1n;
}

/** Resident bytes, shared pages in full: cheap enough for a curve. 0 when the process has ended. */
function readRssBytes(pid: number): number {
  const text = readProc(`/proc/${pid}/statm`);
  return text === null ? 0 : Number(text.split(' ')[1]) * pageBytes();
}

/** Resident bytes, each shared page divided among those who share it; null when it is not ours to read. */
function readPssBytes(pid: number): number | null {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

const auxvPageSize = 6n;
let knownPageBytes: number | null = null;

/** The kernel tells every process at its start, as pairs of type and value. Source: getauxval(3), AT_PAGESZ. */
function pageBytes(): number {
  knownPageBytes ??= readPageBytes();
  return knownPageBytes;
}

function readPageBytes(): number {
  try {
    const { buffer, byteOffset, length } = Buffer.from(readFileSync('/proc/self/auxv'));
    const words = new BigUint64Array(buffer.slice(byteOffset, byteOffset + length));
    const at = words.findIndex((word, index) => index % 2 === 0 && word === auxvPageSize);
    return Number(words[at + 1] ?? 4096n);
  } catch (error) {
    return nullWhenHidden(error) ?? 4096;
  }
}

/** The whole machine at one moment, in µs of CPU time summed over its cores. */
export type HostReading = { atUs: number; busyUs: number; stealUs: number };

/** Null where there is no `/proc/stat`. */
export function readHost(): HostReading | null {
  const text = readProc('/proc/stat');
  return text === null ? null : parseHost(text, performance.now() * 1000);
}

/** CPU of all programs of the machine, without the kernel's interrupts, µs; null where it cannot be read. */
export function readProgramsUs(): number | null {
  const [user = 0, nice = 0, system = 0] = columnsOf(readProc('/proc/stat') ?? '');
  return user + nice + system === 0 ? null : (user + nice + system) * tickUs;
}

export function parseHost(text: string, atUs: number): HostReading {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = columnsOf(text);
  // The guest columns that follow are part of user and nice already.
  return { atUs, busyUs: (user + nice + system + irq + softirq) * tickUs, stealUs: steal * tickUs };
}

/** Fields of the line of all cores, in ticks. */
function columnsOf(text: string): number[] {
  return text.slice(0, text.indexOf('\n')).split(/\s+/).slice(1).map(Number);
}

/**
 * Shares of the machine between two readings.
 * @param ownBusyUs CPU time of the target, the generator, and TLS Toll between the readings
 */
export function hostUse(before: HostReading, after: HostReading, ownBusyUs: number, cores: number): HostUse {
  const machineUs = Math.max(1, (after.atUs - before.atUs) * cores);
  return {
    stealRatio: Math.max(0, after.stealUs - before.stealUs) / machineUs,
    foreignRatio: Math.max(0, after.busyUs - before.busyUs - ownBusyUs) / machineUs,
  };
}
