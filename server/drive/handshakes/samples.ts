import type { Samples } from '../../../shared/kinds/handshakes/handshake-samples.ts';

/** One connection never takes so long; one that does will not end. */
const stallMs = 10_000;

/**
 * Does something so many times, one after the other, and takes the time of each. CPU time is the whole process's: the
 * kernel brings it up to date when it is asked, which it does not for a single thread's.
 */
export function timeEach(times: number, once: () => Promise<unknown>): Promise<Samples> {
  const stalled = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => stalled.reject(new Error(`a connection did not end within ${stallMs / 1000} s`)),
    stallMs,
  );
  return Promise.race([takeTimes(times, once, timer), stalled.promise]).finally(() => clearTimeout(timer));
}

async function takeTimes(
  times: number,
  once: () => Promise<unknown>,
  stall: NodeJS.Timeout,
): Promise<Samples> {
  const samples = {
    cpuUs: new Float64Array(times),
    wallUs: new Float64Array(times),
  };
  const first = process.cpuUsage();
  let cpu = first;
  let wall = performance.now();
  for (let i = 0; i < times; i++) {
    await once();
    const cpuNow = process.cpuUsage();
    const wallNow = performance.now();
    samples.cpuUs[i] = cpuNow.user - cpu.user + cpuNow.system - cpu.system;
    samples.wallUs[i] = (wallNow - wall) * 1000;
    cpu = cpuNow;
    wall = wallNow;
    stall.refresh();
  }
  return { ...samples, userUs: cpu.user - first.user };
}
