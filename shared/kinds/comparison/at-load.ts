import { z } from 'zod';
import { printNumber } from '../../base/quantity.ts';

/** The load at which a server's cost is read: what its bursts were. */

/** Why bursts keep to one arrival rate. */
const rateReasonSchema = z.enum([
  /** The generator cannot busy the server. */
  'generator',
  /** Or something else than the server is the limit: its sides are busy to different degrees, or more users always do more. */
  'server',
  /** The owner of another host allows no more. */
  'permit',
]);
export type RateReason = z.infer<typeof rateReasonSchema>;

export const atLoadSchema = z.strictObject({
  /** Virtual users, all of them on one arm at a time. */
  users: z.int().positive(),
  /** Transactions per second on every arm; null: each user begins its next transaction as soon as the last one ends. */
  ratePerS: z.number().positive().nullable(),
  /** Null where there is no rate. */
  reason: rateReasonSchema.nullable(),
  /** One arm's share of a round. */
  burstMs: z.number().positive(),
  /** That the target's processes may run on; null where that is not known. */
  cores: z.int().positive().nullable(),
});
export type AtLoad = z.infer<typeof atLoadSchema>;

/** "at load", or the rate where it was not the server that was the limit. */
export function loadInWords(load: Pick<AtLoad, 'ratePerS'> | null): string {
  const rate = load?.ratePerS ?? null;
  return rate === null ? 'at load' : `at ${printNumber(rate, 0)} transactions/s`;
}

/** What runs must share for one to lend another its variance: the server was the limit, or a rate was. */
const loadClassSchema = z.enum(['full', 'rate']);
type LoadClass = z.infer<typeof loadClassSchema>;

export function loadClassOf({ ratePerS }: Pick<AtLoad, 'ratePerS'>): LoadClass {
  return ratePerS === null ? 'full' : 'rate';
}
