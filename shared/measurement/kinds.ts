import { z } from 'zod';
import { runEventSchema } from '../kinds/comparison/progress.ts';
import { runDocumentSchema } from '../kinds/comparison/run.ts';
import { runRequestSchema } from '../kinds/comparison/run-request.ts';
import { distanceDocumentSchema, distanceRequestSchema } from '../kinds/distance/distance.ts';
import { handshakesDocumentSchema, handshakesRequestSchema } from '../kinds/lab/lab.ts';
import { cellsEventSchema, labEventSchema } from '../kinds/lab/lab-progress.ts';
import { serversRequestSchema } from '../kinds/servers/servers.ts';
import { serversEventsSchema, serversVisitEventSchema } from '../kinds/servers/servers-progress.ts';
import { serversDocumentSchema } from '../kinds/servers/servers-result.ts';
import { sizesEventSchema, sizesEventsSchema } from '../kinds/sizes/size-progress.ts';
import { sizesDocumentSchema, sizesRequestSchema } from '../kinds/sizes/sizes.ts';
import { speedDocumentSchema, speedRequestSchema } from '../kinds/speed/speed.ts';
import { visitsDocumentSchema, visitsRequestSchema } from '../kinds/visits/visits.ts';
import { type KindName, lifeEvents } from './measurement.ts';

/** What each kind of measurement is asked for with, tells, and leaves behind. */

type Shapes = {
  request: z.ZodType;
  document: z.ZodType;
  /** Of its log: those of every life, and its own. */
  event: z.ZodType;
};

export const kinds = {
  comparison: {
    request: runRequestSchema,
    document: runDocumentSchema,
    event: runEventSchema,
  },
  handshakes: {
    request: handshakesRequestSchema,
    document: handshakesDocumentSchema,
    event: labEventSchema,
  },
  speed: {
    request: speedRequestSchema,
    document: speedDocumentSchema,
    event: labEventSchema,
  },
  visits: {
    request: visitsRequestSchema,
    document: visitsDocumentSchema,
    event: z.discriminatedUnion('type', [...lifeEvents]),
  },
  sizes: {
    request: sizesRequestSchema,
    document: sizesDocumentSchema,
    event: sizesEventsSchema,
  },
  servers: {
    request: serversRequestSchema,
    document: serversDocumentSchema,
    event: serversEventsSchema,
  },
  distance: {
    request: distanceRequestSchema,
    document: distanceDocumentSchema,
    event: z.discriminatedUnion('type', [...lifeEvents]),
  },
} satisfies Record<KindName, Shapes>;

/** Of any log. */
export const measurementEventSchema = z.discriminatedUnion('type', [
  ...runEventSchema.options,
  cellsEventSchema,
  sizesEventSchema,
  serversVisitEventSchema,
]);
export type MeasurementEvent = z.infer<typeof measurementEventSchema>;

export type MeasurementRequestInput = z.input<(typeof kinds)[KindName]['request']>;

export const measurementDocumentSchema = z.discriminatedUnion('kind', [
  kinds.comparison.document,
  kinds.handshakes.document,
  kinds.speed.document,
  kinds.visits.document,
  kinds.sizes.document,
  kinds.servers.document,
  kinds.distance.document,
]);
export type MeasurementDocument = z.infer<typeof measurementDocumentSchema>;
