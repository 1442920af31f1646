import { z } from 'zod';
import { shownRunSchema } from '../kinds/comparison/shown-run.ts';
import { measurementDocumentSchema } from './kinds.ts';
import { isOver, shownFrame } from './measurement.ts';

const [, ...others] = measurementDocumentSchema.options;

/** The document of a measurement as its page is sent it: of a run, without what the page does not show. */
export const shownMeasurementSchema = z.discriminatedUnion('kind', [
  shownRunSchema,
  ...others.map((document) => document.extend(shownFrame)),
]);
export type ShownMeasurement = z.infer<typeof shownMeasurementSchema>;

/** Whether the document is complete. A run has its verdict before the browser has finished. */
export function isFinal(document: ShownMeasurement): boolean {
  const goesOn = document.kind === 'comparison' && document.cache.underWay === true;
  return isOver(document.state) && !goesOn;
}
