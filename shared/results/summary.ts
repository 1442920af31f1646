import { z } from 'zod';
import { bySideSchema, knownSideSchema } from '../base/transport-schema.ts';
import { permalinkIdSchema } from '../base/units.ts';
import { verdictSchema } from '../kinds/comparison/comparison.ts';
import { foundSchema } from '../kinds/comparison/found.ts';
import { lengthSchema } from '../kinds/comparison/load-profile.ts';
import { metricIdSchema } from '../kinds/comparison/metric-schema.ts';
import { shownRunSchema } from '../kinds/comparison/run.ts';
import { type KindName, kindNames } from '../measurement/kind-names.ts';
import { isOver, shownFrame, summaryFrame } from '../measurement/measurement.ts';
import { targetKindSchema } from '../target/target.ts';
import { measurementDocumentSchema } from './kinds.ts';

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

/** What a permalink's query remembers of the view: `?v=1&m=cpu_at_load&chart=ecdf&y=log`. Defaults are left out. */

const viewStateVersion = 1;

const viewStateSchema = z.strictObject({
  m: metricIdSchema.default('cpu_at_load'),
  chart: z
    .enum(['launches', 'bars', 'load', 'pairs', 'percentiles', 'ecdf', 'resources'])
    .default('launches'),
  y: z.enum(['linear', 'log']).default('linear'),
  /** Whether windows that were set aside count in the chart over time. */
  windows: z.enum(['kept', 'all']).default('kept'),
  /** The measurement that explains where the CPU goes. */
  explain: permalinkIdSchema.nullable().default(null),
});
export type ViewState = z.infer<typeof viewStateSchema>;
export const defaultViewState: ViewState = viewStateSchema.parse({});

const viewKeys = ['m', 'chart', 'y', 'windows', 'explain'] as const;

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

/** Other load on this machine, and how long a run is expected to take on it. */

const shareSchema = z.number().nonnegative();

const machineUseSchema = z.strictObject({
  /** How far back it goes; 0 when nobody has looked before. */
  overS: z.number().nonnegative(),
  /** Share of the machine's CPU time that its host gave to others (steal); null where it is not known yet. */
  stealRatio: shareSchema.nullable(),
  /** Share that other programs took; null also while a measurement has the machine, as its programs count too. */
  foreignRatio: shareSchema.nullable(),
});
export type MachineUse = z.infer<typeof machineUseSchema>;

const expectedTimeSchema = z.strictObject({
  target: targetKindSchema,
  length: lengthSchema,
  /** Until the headline is known to the precision of the length, or the time is up. */
  seconds: z.number().positive(),
  /** Finished runs of this machine that the time is from; 0 for what is typical of a quiet machine with two cores. */
  runs: z.int().nonnegative(),
  /** Half-width of one run's interval by what moves between runs alone, as a share of the ratio; 0 where nothing does. */
  between: shareSchema,
});
export type ExpectedTime = z.infer<typeof expectedTimeSchema>;

export const machineSchema = z.strictObject({
  ...machineUseSchema.shape,
  /** Whether a measurement has the machine. */
  measuring: z.boolean(),
  expected: z.array(expectedTimeSchema),
});
export type Machine = z.infer<typeof machineSchema>;

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
