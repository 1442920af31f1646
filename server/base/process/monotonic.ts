/**
 * The monotonic clock of this host, µs: the same in all of its processes, and set by nobody. `performance.now()` counts from the start of each
 * process.
 */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
