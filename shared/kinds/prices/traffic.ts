import { z } from 'zod';
import { bySideSchema } from '../../base/transport-schema.ts';
import { estimateSchema } from '../../base/units.ts';

/** A traffic, and what a price list says that it costs. */

/** Requests of a traffic without their number. */
export type TrafficMix = {
  /** Bodies of the responses. Shares add up to 1. */
  sizes: readonly { bytes: number; share: number }[];
  /** At least 1; infinite where connections stay open for good. */
  requestsPerConnection: number;
  /** Share of new connections that resume a session over HTTPS. */
  returningShare: number;
};

const missingPriceSchema = z.strictObject({
  /** `a new connection`. */
  item: z.string(),
  /** Reason why the list has no price of it, in a sentence. */
  why: z.string(),
  /** What to do about it, in a sentence. */
  remedy: z.string(),
});
export type MissingPrice = z.infer<typeof missingPriceSchema>;

const pricedRequestSchema = z.strictObject({
  /** µs of server CPU per request; null where a price is missing. */
  ...bySideSchema(estimateSchema.nullable()).shape,
  /** Comparison less baseline. */
  difference: estimateSchema.nullable(),
  missing: z.array(missingPriceSchema),
});
export type PricedRequest = z.infer<typeof pricedRequestSchema>;

/** `250 B`, `64 kB`, `1.5 MB`. */
export function printSize(bytes: number): string {
  const [symbol, divisor] = bytes < 1000 ? ['B', 1] : bytes < 1e6 ? ['kB', 1000] : ['MB', 1e6];
  return `${Number((bytes / divisor).toPrecision(3)).toLocaleString('en-US')} ${symbol}`;
}
