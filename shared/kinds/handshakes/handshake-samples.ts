import { z } from 'zod';
import { nonNegativeSchema } from '../../base/units.ts';
import { agreedSchema, wireSchema } from './handshakes.ts';

/** What a process of the lab answers with. */

/** Bytes that one side sends before it waits for the other, in order. */
export const turnsSchema = z.array(
  z.strictObject({ from: z.enum(['client', 'server']), bytes: z.int().nonnegative() }),
);
export type Turn = z.infer<typeof turnsSchema>[number];

/** One number a connection, in the order of the connections; in microseconds. */
export const timesSchema = z.instanceof(Float64Array);

/** Of every connection of a visit. */
export const samplesSchema = z.strictObject({
  cpuUs: timesSchema,
  wallUs: timesSchema,
  /** Of all of them together: of a single one the kernel's ticks are too coarse to tell user from system. */
  userUs: nonNegativeSchema,
});
export type Samples = z.infer<typeof samplesSchema>;

/** What the first connection of a cell showed. */
export const preparedSchema = z.strictObject({ wire: wireSchema, agreed: agreedSchema, turns: turnsSchema });
export type Prepared = z.infer<typeof preparedSchema>;
