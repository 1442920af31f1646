import { setPriority } from 'node:os';

/** Lets whatever is measured on this machine go first, but on a busy one it still gets its turn: a user waits for it. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // It has ended already, which the next question says.
  }
}
