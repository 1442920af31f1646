/** Of every connection of a visit, in order; in microseconds. */
export type Samples = { cpuUs: Float64Array; userUs: Float64Array; wallUs: Float64Array };

/**
 * Does something so many times, one after the other, and takes the time of each. CPU time is the whole process's: the
 * kernel brings it up to date when it is asked, which it does not for a single thread's.
 */
export async function timeEach(times: number, once: () => Promise<unknown>): Promise<Samples> {
  const samples = {
    cpuUs: new Float64Array(times),
    userUs: new Float64Array(times),
    wallUs: new Float64Array(times),
  };
  let cpu = process.cpuUsage();
  let wall = performance.now();
  for (let i = 0; i < times; i++) {
    await once();
    const cpuNow = process.cpuUsage();
    const wallNow = performance.now();
    samples.userUs[i] = cpuNow.user - cpu.user;
    samples.cpuUs[i] = cpuNow.user - cpu.user + cpuNow.system - cpu.system;
    samples.wallUs[i] = (wallNow - wall) * 1000;
    cpu = cpuNow;
    wall = wallNow;
  }
  return samples;
}
