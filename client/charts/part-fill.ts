import { hatch } from './hatch.ts';

/** How the parts of a stacked bar differ in one colour. */
export const partFills = ['hatched', 'solid', 'half', 'pale'] as const;
export type PartFill = (typeof partFills)[number];

export function partFill(fill: PartFill, color: string, ground: string): CanvasPattern | string {
  return fill === 'hatched' ? hatch(color, ground) : `${color}${alphas[fill]}`;
}

const alphas = { solid: 'ff', half: '80', pale: '26' };
