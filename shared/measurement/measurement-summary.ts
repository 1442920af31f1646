import { z } from 'zod';
import { transportPairSchema } from '../base/transport-schema.ts';
import { verdictSchema } from '../kinds/comparison/comparison.ts';
import { presetSchema } from '../kinds/comparison/load-choice.ts';
import { type KindName, summaryFrame } from './measurement.ts';

/** A measurement as one line of a list: what every kind has, and what a run says besides. */

export const runSummarySchema = z.strictObject({
  ...summaryFrame,
  kind: z.literal('comparison'),
  scenario: z.string(),
  target: z.string(),
  preset: presetSchema,
  transports: transportPairSchema,
  verdict: verdictSchema.nullable(),
  /** Of it and the earlier runs of its question, which lists show instead; left out where it pools none. */
  pooled: verdictSchema.optional(),
  /** `TLS 1.3, AES-256-GCM`, as negotiated; left out where none was. */
  tls: z.string().optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

function summaryOf<Kind extends KindName>(kind: Kind) {
  return z.strictObject({ ...summaryFrame, kind: z.literal(kind) });
}

const summaries = {
  comparison: runSummarySchema,
  handshakes: summaryOf('handshakes'),
  speed: summaryOf('speed'),
  visits: summaryOf('visits'),
  sizes: summaryOf('sizes'),
  servers: summaryOf('servers'),
  distance: summaryOf('distance'),
} satisfies Record<KindName, z.ZodType>;

export const measurementSummarySchema = z.discriminatedUnion('kind', [
  summaries.comparison,
  summaries.handshakes,
  summaries.speed,
  summaries.visits,
  summaries.sizes,
  summaries.servers,
  summaries.distance,
]);
export type MeasurementSummary = z.infer<typeof measurementSummarySchema>;
