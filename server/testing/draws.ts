import { drawNumber, seedRandom } from '../statistics/random.ts';

/** Numbers in [0, 1), one a call, the same ones for the same seed. */
export function drawsOf(seed: number): () => number {
  let random = seedRandom(seed);
  return () => {
    const { value, next } = drawNumber(random);
    random = next;
    return value;
  };
}
