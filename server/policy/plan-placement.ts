import type { Placement } from '../../shared/placement.ts';

/**
 * Cores for the load generator and for a target on the same machine. Left to the scheduler, they share a core at one moment and
 * not at the next, and that moves latency several times as far as TLS does.
 *
 * @param cores that may be used, ascending
 * @param generators processes that generate
 * @returns null where there are too few to keep the two apart
 */
export function planPlacement(cores: readonly number[], generators: number): Placement | null {
  if (cores.length < 2) return null;
  const targets = cores.length - Math.min(generators, cores.length - 1);
  return { generator: cores.slice(targets), target: cores.slice(0, targets) };
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
): Placement | null {
  const free = cores.filter((core) => !taken.includes(core));
  if (taken.length === 0 || free.length === 0) return null;
  return { generator: free.slice(-generators), target: [...taken] };
}
