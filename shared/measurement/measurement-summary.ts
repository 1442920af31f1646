import { z } from 'zod';
import { bySideSchema, knownSideSchema } from '../base/transport-schema.ts';
import { permalinkIdSchema } from '../base/units.ts';
import { verdictSchema } from '../kinds/comparison/comparison.ts';
import { foundSchema } from '../kinds/comparison/found.ts';
import { lengthSchema } from '../kinds/comparison/load-choice.ts';
import { type KindName, kindNames } from './kind-names.ts';
import { summaryFrame } from './measurement.ts';

/** A measurement as one line of a list: what every kind has, and what a run says besides. */

export const runSummarySchema = z.strictObject({
  ...summaryFrame,
  kind: z.literal('comparison'),
  scenario: z.string(),
  target: z.string(),
  length: lengthSchema,
  sides: bySideSchema(knownSideSchema),
  verdict: verdictSchema.nullable(),
  /** Of it and the earlier runs of its question, which lists show instead; left out where it pools none. */
  pooled: verdictSchema.optional(),
  /** What lists say of it in figures, pooled where it pools; left out where nothing can be said in percent. */
  found: foundSchema.optional(),
  /** Made by an earlier version, whose result this one cannot show. */
  earlier: z.literal(true).optional(),
  /** ID of the run that is part of it; left out where it continues none. */
  continues: permalinkIdSchema.optional(),
  /** What both sides have in common and is not as usual; left out where there is none. */
  settings: z.array(z.string()).optional(),
  /** `TLS 1.3, AES-256-GCM`, as negotiated; left out where none was. */
  tls: z.string().optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

type PlainKind = Exclude<KindName, 'comparison'>;

function summaryOf<Kind extends PlainKind>(kind: Kind) {
  return z.strictObject({ ...summaryFrame, kind: z.literal(kind) });
}

type PlainSummarySchema = { [Kind in PlainKind]: ReturnType<typeof summaryOf<Kind>> }[PlainKind];
const plainKinds = kindNames.filter((kind) => kind !== 'comparison');

export const measurementSummarySchema = z.discriminatedUnion('kind', [
  runSummarySchema,
  ...(plainKinds.map((kind) => summaryOf(kind)) as unknown as PlainSummarySchema[]),
]);
export type MeasurementSummary = z.infer<typeof measurementSummarySchema>;
