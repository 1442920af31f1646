import type { Draw } from '../method/statistics/random.ts';

/** With a mean of 0 and a standard deviation of 1 (Box and Muller). */
export function drawNormal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
