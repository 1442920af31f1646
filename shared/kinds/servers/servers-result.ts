import { z } from 'zod';
import { exactSchemas, requestSchemas } from '../../base/option-schema.ts';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { armSchema } from '../../base/transport-schema.ts';
import {
  countSchema,
  estimateSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  unixMillisSchema,
} from '../../base/units.ts';
import { documentFrame, measurementStateSchema, seedSchema } from '../../measurement/measurement.ts';
import { measuredServerSchema } from '../../target/target.ts';
import { placementSchema } from '../comparison/at-load.ts';
import { hostUseSchema } from '../comparison/slot.ts';
import { factorTable, levelTable, serversTable } from './options.ts';

/** Counts of requests from which the report of ApacheBench 2.3 (`ab`, of the Apache HTTP Server) is printed. Times in ms. */

const spreadSchema = z.strictObject({
  min: nonNegativeSchema,
  mean: nonNegativeSchema,
  sd: nonNegativeSchema,
  median: nonNegativeSchema,
  max: nonNegativeSchema,
});
export type AbSpread = z.infer<typeof spreadSchema>;

/** `connect` contains the TLS handshake, `waiting` is from sending to the first byte, `processing` to the last. */
const timesSchema = z.strictObject({
  connect: spreadSchema,
  processing: spreadSchema,
  waiting: spreadSchema,
  total: spreadSchema,
});
export type AbTimes = z.infer<typeof timesSchema>;

/** The rungs of its ladder. */
export const abPercents = [50, 66, 75, 80, 90, 95, 98, 99, 100] as const;

const abCountsSchema = z.strictObject({
  seconds: z.number().positive(),
  requests: countSchema,
  connectionsOpened: countSchema,
  failed: z.strictObject({
    connect: countSchema,
    receive: countSchema,
    length: countSchema,
    exceptions: countSchema,
  }),
  non2xx: countSchema,
  totalBytes: countSchema,
  htmlBytes: countSchema,
  /** Null over http, and without an answer. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** Whether the phases of a request were recorded: without them connect and waiting are 0. */
  phased: z.boolean(),
  /** Null when nothing completed; so are the milliseconds at each of `abPercents`. */
  timesMs: timesSchema.nullable(),
  ladderMs: z.array(nonNegativeSchema).length(abPercents.length).nullable(),
});
export type AbCounts = z.infer<typeof abCountsSchema>;

/** Rates that `ab` prints. Its Kbytes are KiB. */
export function abRatesOf(
  { seconds, requests, totalBytes }: Pick<AbCounts, 'seconds' | 'requests' | 'totalBytes'>,
  concurrency: number,
) {
  const msAcrossConcurrent = requests === 0 ? 0 : (1000 * seconds) / requests;
  return {
    requestsPerS: requests / seconds,
    msPerRequest: concurrency * msAcrossConcurrent,
    msAcrossConcurrent,
    kibPerS: totalBytes / 1024 / seconds,
  };
}

/**
 * Servers: HTTP against HTTPS on servers that are started for it, over the levels of some factors. A cell is one
 * choice of a level for each factor.
 */

/** Settings of one cell. Absent ones have the base’s level. */
export const cellSettingsSchema = z.strictObject(requestSchemas(factorTable));
export type CellSettings = z.infer<typeof cellSettingsSchema>;

export const factorNames = cellSettingsSchema.keyof().options;
export type FactorName = (typeof factorNames)[number];

/** The levels to measure; a factor that is left out stays at the base’s. */
const factorLevelsSchema = z.strictObject(exactSchemas(levelTable)).partial();
export type FactorLevels = z.infer<typeof factorLevelsSchema>;

/** `grid`: every combination. `each`: one factor at a time around the base. `cells`: those that are listed. */
export const factorPlanSchema = z.discriminatedUnion('shape', [
  z.strictObject({
    shape: z.literal('grid'),
    base: cellSettingsSchema.prefault({}),
    levels: factorLevelsSchema,
  }),
  z.strictObject({
    shape: z.literal('each'),
    base: cellSettingsSchema.prefault({}),
    levels: factorLevelsSchema,
  }),
  z.strictObject({ shape: z.literal('cells'), cells: z.array(cellSettingsSchema).min(1) }),
]);
export type FactorPlan = z.infer<typeof factorPlanSchema>;
export type FactorPlanInput = z.input<typeof factorPlanSchema>;

export const mostCells = 5000;

export const serversRequestSchema = z.strictObject({
  kind: z.literal('servers'),
  plan: factorPlanSchema,
  ...requestSchemas(serversTable),
});
export type ServersRequest = z.infer<typeof serversRequestSchema>;

const serversCellSchema = z.strictObject({
  /** Its place in the plan. */
  index: countSchema,
  /** Names it in addresses and tables, such as `nginx-tls13-aes256gcm-rsa2048-keepalive-c32-5496`. */
  id: z.string(),
  settings: cellSettingsSchema,
});
export type ServersCell = z.infer<typeof serversCellSchema>;

/** Data and findings of a sweep over servers. Rates are requests per second, times µs. */

/** Data from which `ab`'s report of an arm is printed. */
const visitAbSchema = abCountsSchema.extend({
  /** The server's own header; empty without one. */
  serverSoftware: z.string(),
  hostname: z.string(),
  port: z.int().min(1).max(65535),
});
export type VisitAb = z.infer<typeof visitAbSchema>;

/** One arm of one visit. */
const visitArmSchema = z.strictObject({
  perS: nonNegativeSchema,
  /** Server CPU of one request, with every connection at full speed; null where it cannot be read. */
  cpuUs: nonNegativeSchema.nullable(),
  /** CPU that the load generator needed for one request. */
  generatorCpuUs: nonNegativeSchema,
  medianUs: nonNegativeSchema.nullable(),
  requests: countSchema,
  errors: countSchema,
  /** Null for the twin. */
  ab: visitAbSchema.nullable(),
});
export type VisitArm = z.infer<typeof visitArmSchema>;

/** A cell in one round, as stored when it has ended. */
export const serversVisitSchema = z.strictObject({
  round: countSchema,
  /** Index of the cell. */
  cell: countSchema,
  /** Null where it failed. */
  arms: z.record(armSchema, visitArmSchema).nullable(),
  /** Why it failed, in a sentence; null where it did not. */
  failure: z.string().nullable(),
  machine: hostUseSchema.nullable(),
});
export type ServersVisit = z.infer<typeof serversVisitSchema>;

/** Comparison within a cell: HTTPS and HTTP, and their ratio, with 95 % intervals over the rounds. */
const cellFiguresSchema = z.strictObject({
  http: estimateSchema,
  https: estimateSchema,
  /** https divided by http. */
  ratio: estimateSchema,
  /** twin divided by http. */
  twinRatio: estimateSchema,
});
export type CellFigures = z.infer<typeof cellFiguresSchema>;

export const serversMetrics = ['throughput', 'cpu', 'latency'] as const;
const serversMetricSchema = z.enum(serversMetrics);
export type ServersMetric = z.infer<typeof serversMetricSchema>;

export const cellResultSchema = z.strictObject({
  cell: serversCellSchema,
  visits: countSchema,
  /** In sentences, each once. */
  failures: z.array(z.string()),
  /** Share of all requests; null without a request. */
  errorShare: z.number().min(0).max(1).nullable(),
  /** On one of the sides a request cost the load generator more CPU than the server: requests per second are then its own. */
  generatorLimited: z.boolean().default(false),
  /** Null with fewer than two visits, and where it cannot be read. */
  throughput: cellFiguresSchema.nullable(),
  cpu: cellFiguresSchema.nullable(),
  latency: cellFiguresSchema.nullable(),
});
export type CellResult = z.infer<typeof cellResultSchema>;

export const cellSides = ['http', 'https'] as const;
export const cellSideSchema = z.enum(cellSides);
export type CellSide = z.infer<typeof cellSideSchema>;

/** A round of one side of a cell, as `ab` would have printed it. */
const abReportSchema = z.strictObject({
  round: countSchema,
  text: z.string(),
});
export type AbReport = z.infer<typeof abReportSchema>;

/** Everything of one cell: what stands at `/r/{id}/cells/{cell}`. */
export const cellDocumentSchema = z.strictObject({
  /** ID of the sweep. */
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  state: measurementStateSchema,
  rounds: countSchema,
  result: cellResultSchema,
  /** By round. */
  visits: z.array(serversVisitSchema),
  /** Null until it has been started. */
  server: measuredServerSchema.nullable(),
  /** Reports of the round whose rate is the median of the rounds; null if none was kept. */
  reports: z.record(cellSideSchema, abReportSchema.nullable()),
});
export type CellDocument = z.infer<typeof cellDocumentSchema>;

/** `https`: what a level changes over HTTPS. `overhead`: what it changes in the ratio of HTTPS to HTTP. */
const effectViewSchema = z.enum(['https', 'overhead']);

/** A level against an earlier one of its factor, over all cells that differ in nothing else. */
const effectSchema = z.strictObject({
  factor: z.enum(factorNames),
  metric: serversMetricSchema,
  view: effectViewSchema,
  from: z.string(),
  to: z.string(),
  /** Pairs of cells. */
  pairs: countSchema,
  /** How many times as much, 95 % over the rounds. */
  factorOf: estimateSchema,
  pValue: z.number().min(0).max(1),
  /** It differs from 1 with Holm's correction over all effects of its metric and view. */
  certain: z.boolean(),
});
export type Effect = z.infer<typeof effectSchema>;

/** Metrics of levels. */
export const levelMetrics = ['throughput', 'cpu'] as const satisfies ServersMetric[];

const levelFiguresSchema = cellFiguresSchema.omit({ twinRatio: true });
export type LevelFigures = z.infer<typeof levelFiguresSchema>;

/** Geometric means over the cells that share their levels, with 95 % intervals over the rounds. */
const levelGroupSchema = z.strictObject({
  /** One for each factor of the view. */
  levels: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Cells in the means. */
  cells: countSchema,
  /** Null where no cell was measured twice. */
  throughput: levelFiguresSchema.nullable(),
  cpu: levelFiguresSchema.nullable(),
});
export type LevelGroup = z.infer<typeof levelGroupSchema>;

/** The levels of one factor, or of two. */
const levelViewSchema = z.strictObject({
  factors: z.array(z.enum(factorNames)).min(1).max(2),
  /** Whether groups differ in nothing but their levels; else they are of the cells that there are. */
  matched: z.boolean(),
  groups: z.array(levelGroupSchema),
});
export type LevelView = z.infer<typeof levelViewSchema>;

export const serversFactsSchema = z.strictObject({
  /** Seed of the order of the visits. */
  seed: seedSchema,
  cells: z.array(serversCellSchema),
  /** Servers as they were found, with one configuration of each. */
  servers: z.array(measuredServerSchema),
  /** Null where nothing was pinned, and until the first servers have started. */
  placement: placementSchema.nullable().default(null),
  warnings: z.array(z.string()),
});
export type ServersFacts = z.infer<typeof serversFactsSchema>;

/** Bumped when the stored document changes shape. */
export const serversSchemaVersion = 1;

export const serversDocumentSchema = z.strictObject({
  schemaVersion: z.literal(serversSchemaVersion),
  ...documentFrame,
  kind: z.literal('servers'),
  request: serversRequestSchema,
  seed: seedSchema,
  servers: z.array(measuredServerSchema),
  placement: placementSchema.nullable(),
  roundsDone: countSchema,
  cells: z.array(cellResultSchema),
  effects: z.array(effectSchema),
  /**
   * Views of every varying factor and of every pair, without those with too many groups. Empty until the end, and in results of schema 1.
   */
  levels: z.array(levelViewSchema),
  /** The most important findings, in sentences. */
  ranking: z.array(z.string()),
});
export type ServersDocument = z.infer<typeof serversDocumentSchema>;
