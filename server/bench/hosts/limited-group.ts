import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version 1 has a hierarchy for CPU, version 2 one for all. */
const versions = [
  { root: '/sys/fs/cgroup/cpu', limit: { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': '10000' } },
  { root: '/sys/fs/cgroup', limit: { 'cpu.max': '10000 100000' } },
];

/** A control group that has a tenth of a core, with these processes in it and all that they start. */
export function makeTenth(pids: readonly number[]): { remove(): void } {
  for (const { root, limit } of versions) {
    const path = join(root, `tls-toll-bench-${process.pid}`);
    try {
      mkdirSync(path);
      for (const [file, value] of Object.entries(limit)) writeFileSync(join(path, file), value);
    } catch {
      continue;
    }
    for (const pid of pids) writeFileSync(join(path, 'cgroup.procs'), `${pid}`);
    return {
      remove() {
        // Whoever is still in it has the limit no more.
        for (const pid of readFileSync(join(path, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
          writeFileSync(join(root, 'cgroup.procs'), pid);
        rmdirSync(path);
      },
    };
  }
  throw new Error('No control group can be made here. Run the bench as root on Linux.');
}
