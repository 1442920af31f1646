import { z } from 'zod';
import { namesOf } from './arms.ts';
import { transports, twoSidesAndTwin } from './transport.ts';

export const transportSchema = z.enum(transports);

/** An arm of whatever a plan declares. */
export const armNameSchema = z.string().regex(/^[a-z][a-z0-9 -]{0,39}$/);

/** Schema of the arms in a plan. */
export function declaredArmsSchema<Name extends z.ZodType<string>>(name: Name) {
  return z.array(
    z.strictObject({
      name,
      /** For orders of arms. */
      letter: z.string().regex(/^[A-Z]$/),
      /** The side that it is again; left out for a side. */
      twinOf: name.optional(),
    }),
  );
}

/** One of two sides and a twin. */
export const armSchema = z.enum(namesOf(twoSidesAndTwin));

export function bySideSchema<Schema extends z.ZodType>(each: Schema) {
  return z.strictObject({ baseline: each, comparison: each });
}

/** A side as results know it. */
export const knownSideSchema = z.strictObject({
  transport: transportSchema,
  /** Name of the side, if its transport does not distinguish it. */
  name: z.string().optional(),
});
