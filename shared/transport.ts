import { z } from 'zod';

/** What a connection speaks. Always written in this order. */
export const transportSchema = z.enum(['http', 'https']);
export type Transport = z.infer<typeof transportSchema>;

/**
 * The three places a slot can be sent to.
 * `baseline` and `comparison` are the two columns of the delta table (usually http and https);
 * `twin` is the null arm: a second listener identical to the baseline.
 */
export const armSchema = z.enum(['baseline', 'comparison', 'twin']);
export type Arm = z.infer<typeof armSchema>;
export const arms = armSchema.options;

/** Transports of the baseline and the comparison arm. `['http', 'https']` unless a run compares a listener with its twin. */
export const transportPairSchema = z.tuple([transportSchema, transportSchema]);
export type TransportPair = z.infer<typeof transportPairSchema>;

export function transportOf(arm: Arm, pair: TransportPair): Transport {
  return arm === 'comparison' ? pair[1] : pair[0];
}
