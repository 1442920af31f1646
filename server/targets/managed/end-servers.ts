import { rmSync } from 'node:fs';
import { removePerfMaps } from '../../base/process/perf-maps.ts';
import { withDescendants } from '../../base/process/process-tree.ts';
import { withinTime } from '../../base/process/within-time.ts';

/** The leader of a process group. */
export type Group = { pid: number; exited: Promise<unknown> };

/** Less than the time after which a process that was asked to stop is killed. */
const graceMs = 700;

/** Asks the servers to end, ends what is left of their process groups, and removes their directory. */
export async function endServers(groups: readonly Group[], directory: string | null): Promise<void> {
  const processes = groups.flatMap(({ pid }) => withDescendants(pid));
  for (const { pid } of groups) signalGroup(pid, 'SIGTERM');
  await withinTime(Promise.all(groups.map(({ exited }) => exited)), graceMs, null);
  endByForce(
    groups.map(({ pid }) => pid),
    directory,
  );
  removePerfMaps(processes);
}

export function endByForce(pids: readonly number[], directory: string | null): void {
  const processes = pids.flatMap(withDescendants);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
  // What was just killed may still be in the middle of a write.
  if (directory !== null) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  removePerfMaps(processes);
}

/** A group without members any more is what is wanted. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
