import { z } from 'zod';
import { shownRunSchema } from '../kinds/comparison/shown-run.ts';
import { measurementDocumentSchema } from './kinds.ts';
import { shownFrame } from './measurement.ts';

const [, ...others] = measurementDocumentSchema.options;

/** The document of a measurement as its page is sent it: of a run, without what the page does not show. */
export const shownMeasurementSchema = z.discriminatedUnion('kind', [
  shownRunSchema,
  ...others.map((document) => document.extend(shownFrame)),
]);
export type ShownMeasurement = z.infer<typeof shownMeasurementSchema>;
