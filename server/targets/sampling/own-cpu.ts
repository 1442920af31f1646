import { CpuLedger } from '../../base/process/cpu-ledger.ts';
import { aliveOf, ProcessTree } from '../../base/process/process-tree.ts';

/**
 * CPU of this process and of all that it has started, but for what is measured and what loads that: relays, keepers, browsers,
 * whatever else serves a dashboard. By the processes' own clocks, as it is small beside the kernel's ticks of 10 ms.
 */
export type OwnCpu = {
  /** So far; only differences mean anything. Of a process that comes and goes between two readings nothing is known. */
  readUs(): number;
};

/** @param apart roots of what is measured and of what loads it */
export function openOwnCpu(apart: readonly number[]): OwnCpu {
  const all = new ProcessTree(...aliveOf([process.pid]));
  const others = new ProcessTree(...aliveOf(apart));
  const ledger = new CpuLedger();
  const readUs = () => {
    const left = new Set(others.refresh().map(({ pid }) => pid));
    const own = all.refresh().filter(({ pid }) => !left.has(pid));
    if (own.length === 0) return ofThisProcess.readUs();
    ledger.observe(own);
    // What was waited for is left out: the targets and generators of earlier runs are in it.
    return ledger.ownUs;
  };
  all.list();
  others.list();
  readUs();
  return { readUs };
}

/** Without those that it has started. */
export const ofThisProcess: OwnCpu = {
  readUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
