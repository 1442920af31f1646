import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Keeps the cores from sleeping where the kernel lets this user, which takes root: on a virtual machine a core that has slept
 * for 20 ms takes some 0.2 ms to wake up, which a link adds to its delay. Ends with the process at the latest. Source: Linux,
 * PM Quality of Service, `/dev/cpu_dma_latency`.
 * @returns lets them sleep again
 */
export function keepAwake(): () => void {
  try {
    const held = openSync('/dev/cpu_dma_latency', 'w');
    // Four bytes: the longest that waking up may take, in µs.
    writeSync(held, Buffer.alloc(4));
    return () => closeSync(held);
  } catch {
    return () => {};
  }
}
