/**
 * A seeded sequence of random numbers as a value: the same seed gives the same order of blocks on every machine.
 * Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, good enough to shuffle, never for secrets.
 */
export type Random = { state: number };

export function seedRandom(seed: number): Random {
  return { state: seed | 0 };
}

/** A number from 0 up to 1, and the state after it. */
export function drawNumber({ state }: Random): { value: number; next: Random } {
  const advanced = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(advanced ^ (advanced >>> 15), 1 | advanced);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return { value: ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32, next: { state: advanced } };
}

/** The items in a random order (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], random: Random): { value: T[]; next: Random } {
  const shuffled = [...items];
  let next = random;
  for (let last = shuffled.length - 1; last > 0; last--) {
    const drawn = drawNumber(next);
    next = drawn.next;
    const other = Math.floor(drawn.value * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return { value: shuffled, next };
}
