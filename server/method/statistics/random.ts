/** A number from 0 up to 1, another one with each call. */
export type Draw = () => number;

/**
 * The same seed draws the same numbers, and so the same order of blocks, on every machine.
 * Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough to shuffle, never for secrets.
 */
export function drawsOf(seed: number): Draw {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The items in a random order (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], draw: Draw): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}
