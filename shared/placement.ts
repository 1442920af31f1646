import { z } from 'zod';
import { countSchema } from './units.ts';

/** CPU cores that processes kept to, by the numbers that the kernel gives them. */
export const placementSchema = z.strictObject({
  generator: z.array(countSchema).min(1),
  target: z.array(countSchema).min(1),
});
export type Placement = z.infer<typeof placementSchema>;

/** @param placement null where nothing was pinned */
export function describePlacement(placement: Placement | null): string {
  if (placement === null) return 'Generator and target were not pinned to cores.';
  return `Generator on ${nameCores(placement.generator)}, target on ${nameCores(placement.target)}.`;
}

function nameCores(cores: readonly number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')}`;
}
