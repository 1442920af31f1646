import { z } from 'zod';
import { arms, transports } from './transport.ts';

export const transportSchema = z.enum(transports);

export const armSchema = z.enum(arms);

export function bySideSchema<Schema extends z.ZodType>(each: Schema) {
  return z.strictObject({ baseline: each, comparison: each });
}

export const transportPairSchema = z.tuple([transportSchema, transportSchema]);
