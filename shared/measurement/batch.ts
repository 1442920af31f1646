import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { metricComparisonSchema } from '../kinds/comparison/comparison.ts';
import { createdMeasurementSchema, progressEventSchema } from './measurement.ts';
import { measurementSummarySchema } from './measurement-summary.ts';
import { labelsSchema } from './runner.ts';
import { printLabels } from './runner-labels.ts';

/**
 * A batch is one request that several runners measure at once: a measurement for each set of labels, and one permalink for all of
 * them. In words for users, each set is a site.
 */

const mostSites = 8;

const siteSchema = labelsSchema.refine(
  (labels) => Object.keys(labels).length > 0,
  'a site has at least one label',
);

export const sitesSchema = z
  .array(siteSchema, { error: 'give a list of sites, such as [{"site":"fra"},{"site":"iad"}]' })
  .min(2, 'name at least two sites, such as [{"site":"fra"},{"site":"iad"}]')
  .max(mostSites, `there are at most ${mostSites} sites`)
  .superRefine((sites, context) => {
    const names = sites.map(printLabels);
    const place = names.findIndex((name, at) => names.indexOf(name) !== at);
    if (place < 0) return;
    context.addIssue({ code: 'custom', path: [place], message: `${names[place]} is named twice` });
  });

export const createdBatchSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  /** In the order of the sites. */
  measurements: z.array(createdMeasurementSchema.extend({ labels: labelsSchema })),
});
export type CreatedBatch = z.infer<typeof createdBatchSchema>;

/** A metric of a finished run, as its page prints it. */
export const siteFigureSchema = metricComparisonSchema.pick({
  ...{ id: true, unit: true, baseline: true, comparison: true, delta: true, ratio: true, outcome: true },
});
export type SiteFigure = z.infer<typeof siteFigureSchema>;

const batchSiteSchema = z.strictObject({
  labels: labelsSchema,
  /** Of its measurement. */
  id: permalinkIdSchema,
  url: z.string(),
  /** Null once it was deleted. */
  measurement: measurementSummarySchema.nullable(),
  /** `binned` can be restored; null while it is there. */
  deleted: z.enum(['binned', 'removed']).nullable(),
  /** Name of the runner that measures or measured it; null before that. */
  runner: z.string().nullable(),
  /** Null unless it is running. */
  progress: progressEventSchema.nullable(),
  /** Of a finished run, in the order of its table; empty for other kinds. */
  figures: z.array(siteFigureSchema),
});
export type BatchSite = z.infer<typeof batchSiteSchema>;

export const batchSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  /** Of the first measurement that is there; null when all were deleted. */
  title: z.string().nullable(),
  createdAt: unixMillisSchema,
  sites: z.array(batchSiteSchema),
});
export type Batch = z.infer<typeof batchSchema>;

/** From a measurement to the batch that it is part of. */
export const batchLinkSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  sites: z.array(labelsSchema),
});
export type BatchLink = z.infer<typeof batchLinkSchema>;
