import { z } from 'zod';
import { browserDocumentSchema, browserRequestSchema } from './browser-run.ts';
import { handshakesDocumentSchema, handshakesRequestSchema } from './lab.ts';
import { cellsEventSchema, labEventSchema } from './lab-progress.ts';
import { type KindName, lifeEvents, summaryFrame } from './measurement.ts';
import { runEventSchema } from './progress.ts';
import { runDocumentSchema, runRequestSchema, runSummarySchema } from './run.ts';
import { sizesEventSchema, sizesEventsSchema } from './size-progress.ts';
import { sizesDocumentSchema, sizesRequestSchema } from './size-sweep.ts';
import { speedDocumentSchema, speedRequestSchema } from './speed.ts';
import { sweepRequestSchema } from './sweep.ts';
import { sweepEventsSchema, sweepVisitEventSchema } from './sweep-progress.ts';
import { sweepDocumentSchema } from './sweep-result.ts';

/** What each kind of measurement is asked for with, tells, and leaves behind. */

type Shapes = {
  request: z.ZodType;
  document: z.ZodType;
  /** Of its log: those of every life, and its own. */
  event: z.ZodType;
  summary: z.ZodType;
};

function summaryOf<Kind extends KindName>(kind: Kind) {
  return z.strictObject({ ...summaryFrame, kind: z.literal(kind) });
}

export const kinds = {
  comparison: {
    request: runRequestSchema,
    document: runDocumentSchema,
    event: runEventSchema,
    summary: runSummarySchema,
  },
  handshakes: {
    request: handshakesRequestSchema,
    document: handshakesDocumentSchema,
    event: labEventSchema,
    summary: summaryOf('handshakes'),
  },
  primitives: {
    request: speedRequestSchema,
    document: speedDocumentSchema,
    event: labEventSchema,
    summary: summaryOf('primitives'),
  },
  journey: {
    request: browserRequestSchema,
    document: browserDocumentSchema,
    event: z.discriminatedUnion('type', [...lifeEvents]),
    summary: summaryOf('journey'),
  },
  sizes: {
    request: sizesRequestSchema,
    document: sizesDocumentSchema,
    event: sizesEventsSchema,
    summary: summaryOf('sizes'),
  },
  sweep: {
    request: sweepRequestSchema,
    document: sweepDocumentSchema,
    event: sweepEventsSchema,
    summary: summaryOf('sweep'),
  },
} satisfies Record<KindName, Shapes>;

/** Of any log. */
export const measurementEventSchema = z.discriminatedUnion('type', [
  ...runEventSchema.options,
  cellsEventSchema,
  sizesEventSchema,
  sweepVisitEventSchema,
]);
export type MeasurementEvent = z.infer<typeof measurementEventSchema>;

export const measurementRequestSchema = z.discriminatedUnion('kind', [
  kinds.comparison.request,
  kinds.handshakes.request,
  kinds.primitives.request,
  kinds.journey.request,
  kinds.sizes.request,
  kinds.sweep.request,
]);
export type MeasurementRequestInput = z.input<typeof measurementRequestSchema>;

export const measurementDocumentSchema = z.discriminatedUnion('kind', [
  kinds.comparison.document,
  kinds.handshakes.document,
  kinds.primitives.document,
  kinds.journey.document,
  kinds.sizes.document,
  kinds.sweep.document,
]);
export type MeasurementDocument = z.infer<typeof measurementDocumentSchema>;

export const measurementSummarySchema = z.discriminatedUnion('kind', [
  kinds.comparison.summary,
  kinds.handshakes.summary,
  kinds.primitives.summary,
  kinds.journey.summary,
  kinds.sizes.summary,
  kinds.sweep.summary,
]);
export type MeasurementSummary = z.infer<typeof measurementSummarySchema>;
