import { setPriority } from 'node:os';

/** Lets whatever is measured on this machine go first. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10);
  } catch {
    // It has ended already, which the next question says.
  }
}
