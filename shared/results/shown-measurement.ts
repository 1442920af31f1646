import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { metricIdSchema } from '../kinds/comparison/comparison.ts';
import { shownRunSchema } from '../kinds/comparison/run.ts';
import { isOver, shownFrame } from '../measurement/measurement.ts';
import { measurementDocumentSchema } from './kinds.ts';

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

const viewStateVersion = 1;

/** Units of rows and charts: differences in time, changes in percent, or ratios. */
export const shownUnits = ['us', 'percent', 'ratio'] as const;

const viewStateSchema = z.strictObject({
  m: metricIdSchema.default('cpu_at_load'),
  chart: z.enum(['launches', 'load', 'pairs', 'percentiles', 'resources']).default('launches'),
  unit: z.enum(shownUnits).default('percent'),
  y: z.enum(['linear', 'log']).default('linear'),
  /** Whether windows that were set aside count in the chart over time. */
  windows: z.enum(['kept', 'all']).default('kept'),
  /** The measurement that explains where the CPU goes. */
  explain: permalinkIdSchema.nullable().default(null),
});

export type ViewState = z.infer<typeof viewStateSchema>;

export const defaultViewState: ViewState = viewStateSchema.parse({});

const viewKeys = ['m', 'chart', 'unit', 'y', 'windows', 'explain'] as const;

/** Reads a query; what it does not understand falls back to the default, field by field. */
export function parseViewState(query: URLSearchParams): ViewState {
  if (Number(query.get('v') ?? viewStateVersion) > viewStateVersion) return defaultViewState;
  const view: Record<string, string> = {};
  for (const key of viewKeys) {
    const value = query.get(key);
    if (value !== null && viewStateSchema.shape[key].safeParse(value).success) view[key] = value;
  }
  return viewStateSchema.parse(view);
}

/** The query of a view: empty for the defaults. */
export function printViewState(view: ViewState): URLSearchParams {
  const query = new URLSearchParams();
  for (const key of viewKeys) {
    const value = view[key];
    if (value !== null && value !== defaultViewState[key]) query.set(key, value);
  }
  return query.size === 0 ? query : new URLSearchParams([['v', String(viewStateVersion)], ...query]);
}
