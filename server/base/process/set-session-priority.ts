import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { withDescendants } from './process-tree.ts';

/**
 * Sets the priority of a process that leads its session, and of its descendants: −20 to 19, of nice(1). Where Linux groups tasks by
 * session (autogroup, sched(7)), niceness counts within a session only, so that of the session is set as well. What the system
 * does not allow is left as it is: to raise a priority takes the rights of root.
 */
export function setSessionPriority(leader: number, nice: number): void {
  attempt(() => writeFileSync(`/proc/${leader}/autogroup`, `${nice}`));
  for (const pid of withDescendants(leader)) attempt(() => setPriority(pid, nice));
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Best effort, as said above.
  }
}
