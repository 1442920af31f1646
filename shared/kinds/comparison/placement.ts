import { z } from 'zod';
import { countSchema } from '../../base/units.ts';

/** CPU cores that processes kept to, by the numbers that the kernel gives them. */
export const placementSchema = z.strictObject({
  generator: z.array(countSchema).min(1),
  target: z.array(countSchema).min(1),
  /** Whether one of each are threads of the same core, where it was not to be avoided; left out where that is not known. */
  siblings: z.boolean().optional(),
});
export type Placement = z.infer<typeof placementSchema>;

/** @param placement null where nothing was pinned */
export function describePlacement(placement: Placement | null): string {
  if (placement === null) return 'Generator and target were not pinned to cores.';
  const { generator, target, siblings = false } = placement;
  const where = `Generator on ${nameCores(generator)}, target on ${nameCores(target)}.`;
  if (!siblings) return where;
  const which = generator.length === 1 && target.length === 1 ? 'They are two' : 'Some of them are';
  return `${where} ${which} threads of one core, so each slows the other.`;
}

function nameCores(cores: readonly number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')}`;
}
