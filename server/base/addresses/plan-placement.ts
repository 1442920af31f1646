import type { Placement } from '../../../shared/kinds/comparison/at-load.ts';

/** Those that the kernel shows as cores and that are threads of one, a list for each core; empty where that is not known. */
type CoreThreads = readonly (readonly number[])[];

/**
 * Cores for the load generator and for a target on the same machine. Left to the scheduler, they share a core at one moment and
 * not at the next, and that moves latency several times as far as TLS does. Threads of one core slow each other, so the two have
 * no core in common where there are enough.
 *
 * @param cores that may be used, ascending
 * @param generators processes that generate
 * @returns null where there are too few to keep the two apart
 */
export function planPlacement(
  cores: readonly number[],
  generators: number,
  threads: CoreThreads = [],
): Placement | null {
  if (cores.length < 2) return null;
  const whole = wholeCoresOf(cores, threads);
  if (whole.length < 2) {
    const targets = cores.length - Math.min(generators, cores.length - 1);
    return placed(cores.slice(targets), cores.slice(0, targets), threads);
  }
  let first = whole.length - 1;
  while (first > 1 && whole.slice(first).flat().length < generators) first--;
  return placed(ascending(whole.slice(first).flat()), ascending(whole.slice(0, first).flat()), threads);
}

/**
 * The same for a target that is not ours to move: the generator keeps to cores that its owner has left free.
 *
 * @param taken cores that the target may run on
 */
export function planAround(
  taken: readonly number[],
  cores: readonly number[],
  generators: number,
  threads: CoreThreads = [],
): Placement | null {
  const free = cores.filter((core) => !taken.includes(core));
  if (taken.length === 0 || free.length === 0) return null;
  const apart = free.filter((core) => !taken.some((other) => areSiblings(core, other, threads)));
  const chosen = apart.length < Math.min(generators, free.length) ? free : apart;
  return placed(chosen.slice(-generators), taken, threads);
}

/** By their first threads. */
function wholeCoresOf(cores: readonly number[], threads: CoreThreads): number[][] {
  const keyOf = (core: number) => threads.find((of) => of.includes(core))?.[0] ?? core;
  return [...Map.groupBy(cores, keyOf).values()];
}

function placed(generator: readonly number[], target: readonly number[], threads: CoreThreads): Placement {
  const known = [...generator, ...target].every((core) => threads.some((of) => of.includes(core)));
  const siblings = generator.some((core) => target.some((other) => areSiblings(core, other, threads)));
  return { generator: [...generator], target: [...target], ...(known || siblings ? { siblings } : {}) };
}

function areSiblings(one: number, other: number, threads: CoreThreads): boolean {
  return threads.some((of) => of.includes(one) && of.includes(other));
}

function ascending(cores: readonly number[]): number[] {
  return cores.toSorted((a, b) => a - b);
}
