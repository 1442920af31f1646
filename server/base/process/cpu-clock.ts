import { createRequire } from 'node:module';

/**
 * The kernel's CPU clock of a process: ns, over all its threads, those that have ended included. A thread that runs brings it up
 * to date with every tick of the kernel, and when it leaves its core, so that it is exact while all of them sleep. No
 * right is needed to read it. Source: clock_getcpuclockid(3); the number of the clock is `CPUCLOCK_SCHED` of the
 * kernel's posix-timers.h. Node has no call for it, so the C library is asked.
 */

/** Of a process; null once it has ended. */
type ReadClock = (pid: number) => number | null;

type CpuClock = { readNs: ReadClock; why: null } | { readNs: null; why: string };

let known: CpuClock | null = null;

/** The clock, or why there is none here, as the end of a sentence. */
export function cpuClock(): CpuClock {
  known ??= openClock();
  return known;
}

/** A C library of 64 bits writes the time as two numbers of 64 bits. */
const architectures = ['x64', 'arm64', 'riscv64', 'loong64', 'ppc64', 's390x'];
/** Between our count of ourselves and the clock's. */
const toleranceUs = 20_000;

function openClock(): CpuClock {
  if (process.platform !== 'linux' || !architectures.includes(process.arch)) {
    return {
      readNs: null,
      why: `${process.platform} ${process.arch} has no CPU clock that TLS Toll can read`,
    };
  }
  try {
    const readNs = readerOf(createRequire(import.meta.url)('koffi'));
    return agreesWithUs(readNs) ? { readNs, why: null } : { readNs: null, why: 'its CPU clock is wrong' };
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split('\n');
    return { readNs: null, why: `koffi could not be loaded: ${line}` };
  }
}

function readerOf(koffi: typeof import('koffi').default): ReadClock {
  const read = koffi.load(null).func('int clock_gettime(int clock, void *time)');
  const time = new BigInt64Array(2);
  return (pid) => {
    if (read(clockOf(pid), time) !== 0) return null;
    const [seconds = 0n, ns = 0n] = time;
    return Number(seconds) * 1e9 + Number(ns);
  };
}

function clockOf(pid: number): number {
  return (~pid << 3) | 2;
}

function agreesWithUs(readNs: ReadClock): boolean {
  const own = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const beforeUs = own();
  const us = (readNs(process.pid) ?? Number.NaN) / 1000;
  return us >= beforeUs - toleranceUs && us <= own() + toleranceUs;
}
