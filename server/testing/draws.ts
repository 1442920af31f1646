import { drawNumber, seedRandom } from '../method/statistics/random.ts';

/** Numbers in [0, 1), one a call, the same ones for the same seed. */
export function drawsOf(seed: number): () => number {
  let random = seedRandom(seed);
  return () => {
    const { value, next } = drawNumber(random);
    random = next;
    return value;
  };
}

/** With a mean of 0 and a standard deviation of 1 (Box and Muller). */
export function drawNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
