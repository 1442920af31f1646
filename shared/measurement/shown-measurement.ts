import { z } from 'zod';
import { shownRunSchema } from '../kinds/comparison/shown-run.ts';
import { measurementDocumentSchema } from './kinds.ts';

const [, ...others] = measurementDocumentSchema.options;

/** The document of a measurement as its page is sent it: of a run, without what the page does not show. */
export const shownMeasurementSchema = z.discriminatedUnion('kind', [shownRunSchema, ...others]);
export type ShownMeasurement = z.infer<typeof shownMeasurementSchema>;
