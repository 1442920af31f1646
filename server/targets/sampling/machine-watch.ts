import { availableParallelism } from 'node:os';
import type { MachineUse } from '../../../shared/measurement/machine.ts';
import { type HostReading, hostUse, readHost } from './host.ts';

type MachineWatch = { look(): MachineUse; close(): void };

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

function spentBetween(first: Reading | undefined, last: Reading | undefined): MachineUse {
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
