import { listProc, readProc } from './proc-files.ts';

/**
 * CPU time of all threads of some processes, added up so that it never goes back.
 *
 * The kernel's exact count of a thread (`schedstat`, ns) vanishes with the thread. The ledger adds what each thread
 * gained since it was last seen; what a thread used between that and its end stays unseen, and shows as a
 * difference to the process's ticks.
 */
export class ThreadLedger {
  #lastNs: ReadonlyMap<number, number> = new Map();
  #totalNs = 0;

  /** Total in µs, from the first time each thread was seen. */
  observe(pids: readonly number[]): number {
    const nowNs = new Map<number, number>();
    for (const pid of pids) {
      for (const thread of listProc(`/proc/${pid}/task`)) {
        const cpuNs = readThreadCpuNs(pid, thread);
        if (cpuNs !== null) nowNs.set(Number(thread), cpuNs);
      }
    }
    this.#totalNs += gained(this.#lastNs, nowNs);
    this.#lastNs = nowNs;
    return this.#totalNs / 1000;
  }
}

/** Nanoseconds between two sightings of threads by id. A count that fell belongs to a new thread with an old id. */
export function gained(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const [thread, cpuNs] of after) {
    const lastNs = before.get(thread) ?? 0;
    sum += cpuNs < lastNs ? cpuNs : cpuNs - lastNs;
  }
  return sum;
}

function readThreadCpuNs(pid: number, thread: string): number | null {
  const text = readProc(`/proc/${pid}/task/${thread}/schedstat`);
  return text === null ? null : Number.parseInt(text, 10);
}
