import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import {
  type Estimate,
  estimateSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  unixMillisSchema,
} from '../../../shared/base/units.ts';
import { atLoadSchema } from '../../../shared/kinds/comparison/at-load.ts';
import {
  type LaunchesVariance,
  metricIdSchema,
  verdictOutcomeSchema,
} from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricIds } from '../../../shared/kinds/comparison/metric.ts';
import { type SiteFigure, siteFigureSchema } from '../../../shared/results/schedule.ts';
import { type TargetKind, targetKindSchema } from '../../../shared/target/target.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { type FigureTables, jsonText } from './packed-text.ts';

/**
 * History of finished runs with their measurements, the newest first, without runs in the bin. A run that another one
 * continues is part of that one.
 */
export function figuresOfRuns(database: Database) {
  const { queries } = database;
  return queries
    .withTables<FigureTables>()
    .selectFrom('metricFigures')
    .innerJoin('measurements', 'measurements.id', 'metricFigures.measurementId')
    .where('state', '=', 'finished')
    .where('measurements.id', 'not in', continuedRuns(database))
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc');
}

/** IDs of runs that others continue, which have figures themselves. */
export function continuedRuns({ queries }: Pick<Database, 'queries'>) {
  return queries
    .selectFrom('measurements as newer')
    .select('newer.continues')
    .where('newer.continues', 'is not', null)
    .where('newer.state', '=', 'finished')
    .where('newer.id', 'not in', queries.selectFrom('bin').select('bin.measurementId'));
}

/** Ratios of a metric in runs of a question, if known. Each row is for `ratioSchema`. */
export function ratiosOfRuns(database: Database, question: string, metric: MetricId) {
  return figuresOfRuns(database)
    .select(['measurements.id', 'createdAt', 'ratio', 'ratioLo', 'ratioHi', 'withinError'])
    .select(['wideningDrift', 'wideningTwin', 'wideningCarryOver', 'loadUsers', 'loadRatePerS'])
    .select(['programs', 'departed'])
    .where('question', '=', question)
    .where('metric', '=', metric)
    .where('metricFigures.verdict', '!=', 'refused')
    .where('ratioLo', '>', 0);
}

export const ratioSchema = z
  .object({
    id: permalinkIdSchema,
    createdAt: unixMillisSchema,
    ratio: z.number().positive(),
    ratioLo: z.number().positive(),
    ratioHi: z.number().positive(),
    /** Standard error of the ratio's logarithm, without variation between runs; null if it was not noted. */
    withinError: z.number().nullable(),
    wideningDrift: z.number().nullable(),
    wideningTwin: z.number().nullable(),
    wideningCarryOver: z.number().nullable(),
    loadUsers: z.number().nullable(),
    loadRatePerS: z.number().nullable(),
    programs: z.string().nullable(),
    departed: z.string().nullable(),
  })
  .transform(
    ({
      id,
      createdAt,
      ratio: center,
      ratioLo: lo,
      ratioHi: hi,
      withinError,
      loadUsers,
      loadRatePerS,
      programs,
      departed,
      ...by
    }) => ({
      ...{ id, createdAt, withinError, departed, ratio: { center, lo, hi } },
      beside: programs === null ? [] : programs.split(', '),
      /** Null if unknown. */
      load: loadUsers === null ? null : { users: loadUsers, ratePerS: loadRatePerS },
      /** Total widening of its interval, to each side. */
      widened: (by.wideningDrift ?? 0) + (by.wideningTwin ?? 0) + (by.wideningCarryOver ?? 0),
    }),
  );

/** Reads the history of finished runs for later ones. Skips rows that cannot be read: a run does without them. */

const machineSchema = environmentSchema.pick({ machine: true, cpuModel: true, cores: true }).loose();

const varianceRowSchema = z.object({
  metric: metricIdSchema,
  variance: nonNegativeSchema,
  bySamples: nonNegativeSchema,
  degrees: z.number().positive(),
  environment: jsonText(machineSchema),
});

type LikeLoad = { targetKind: string; loadClass: string };
type FoundVariance = LaunchesVariance & { metric: MetricId };

/** Variances between launches from the newest runs of a machine with a similar target at a similar load, newest first. */
export async function listLaunchesVariances(
  database: Database,
  { machine, cpuModel, cores }: Pick<Environment, 'machine' | 'cpuModel' | 'cores'>,
  { targetKind, loadClass }: LikeLoad,
  mostRuns: number,
): Promise<FoundVariance[]> {
  if (machine === undefined) return [];
  const rows = await figuresOfRuns(database)
    .select(['metric', 'launchesVariance as variance', 'launchesBySamples as bySamples'])
    .select(['launchesDegrees as degrees', 'environment'])
    .where('machine', '=', machine)
    .where('targetKind', '=', targetKind)
    .where('loadClass', '=', loadClass)
    .where('metricFigures.verdict', '!=', 'refused')
    .where('ratio', 'is not', null)
    .where('launchesDegrees', '>', 0)
    .limit(mostRuns * metricIds.length)
    .execute();
  return rows
    .flatMap((row) => varianceRowSchema.safeParse(row).data ?? [])
    .filter(({ environment }) => environment.cpuModel === cpuModel && environment.cores === cores)
    .map(({ environment: _, ...found }) => found);
}

const runRowSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  request: jsonText(z.unknown()),
  facts: jsonText(z.unknown()),
  environment: jsonText(environmentSchema),
});
export type EarlierRun = z.infer<typeof runRowSchema>;

/** The newest finished runs of a question, newest first. */
export async function listEarlierRuns(
  database: Database,
  question: string,
  most: number,
): Promise<EarlierRun[]> {
  const rows = await figuresOfRuns(database)
    .select(['measurements.id', 'createdAt', 'request', 'facts', 'environment'])
    .where('place', '=', 0)
    .where('question', '=', question)
    .limit(most)
    .execute();
  return rows.flatMap((row) => runRowSchema.safeParse(row).data ?? []);
}

const preciseRowSchema = z.object({
  id: permalinkIdSchema,
  metric: metricIdSchema,
  ratio: estimateSchema,
  difference: estimateSchema.nullable(),
  error: nonNegativeSchema,
  widenings: z.array(nonNegativeSchema),
  baseline: z.number().positive(),
});
export type PreciseFigure = z.infer<typeof preciseRowSchema>;

/** Results of these runs in some metrics, if their precision was noted and they were not refused. */
export async function listPreciseFigures(
  { queries }: Database,
  ids: readonly string[],
  metrics: readonly MetricId[],
): Promise<PreciseFigure[]> {
  if (ids.length === 0) return [];
  const rows = await queries
    .withTables<FigureTables>()
    .selectFrom('metricFigures')
    .select(['measurementId as id', 'metric', 'withinError as error', 'baseline'])
    .select(['ratio', 'ratioLo', 'ratioHi', 'shift', 'shiftLo', 'shiftHi'])
    .select(['wideningDrift', 'wideningTwin', 'wideningCarryOver'])
    .where('measurementId', 'in', ids)
    .where('metric', 'in', metrics)
    .where('metricFigures.verdict', '!=', 'refused')
    .execute();
  return rows.flatMap(({ wideningDrift, wideningTwin, wideningCarryOver, ...row }) => {
    const { ratioLo, ratioHi, shift, shiftLo, shiftHi, ratio: center, ...rest } = row;
    const ratio = { center, lo: ratioLo, hi: ratioHi };
    const difference = shift === null ? null : { center: shift, lo: shiftLo, hi: shiftHi };
    const widenings = [wideningDrift ?? 0, wideningTwin ?? 0, wideningCarryOver ?? 0];
    return preciseRowSchema.safeParse({ ...rest, ratio, difference, widenings }).data ?? [];
  });
}

const storedSchema = z.object({
  id: permalinkIdSchema,
  request: jsonText(z.unknown()),
  facts: jsonText(z.unknown()).nullable(),
});

/** A run as it was stored: its request and facts show which question it asked. */
export type PinnedRow = z.infer<typeof storedSchema> & { isBinned: boolean };

const seriesSchema = storedSchema
  .extend({
    environment: jsonText(z.unknown()).nullable(),
    outcome: verdictOutcomeSchema,
    first: z.number().nullable(),
  })
  .and(ratioSchema);
/** A finished run whose ratio of a metric is known. */
export type SeriesRow = z.infer<typeof seriesSchema>;

/** Only the newest, so that each can be seen in the chart. */
const mostSeriesRuns = 300;

/** Oldest first. */
export async function listSeriesRows(
  database: Database,
  question: string,
  metric: MetricId,
): Promise<SeriesRow[]> {
  const rows = await ratiosOfRuns(database, question, metric)
    .select(['request', 'facts', 'environment', 'metricFigures.verdict as outcome'])
    .select('metricFigures.baseline as first')
    .limit(mostSeriesRuns)
    .execute();
  return rows.map((row) => seriesSchema.parse(row)).reverse();
}

/** The pinned runs of a target, of any question and in the bin or not; the newest pin first. */
export async function listPinned({ queries }: Database, target: string): Promise<PinnedRow[]> {
  const rows = await queries
    .selectFrom('baselines')
    .innerJoin('measurements', 'measurements.id', 'baselines.measurementId')
    .innerJoin('measuredTargets', 'measuredTargets.measurementId', 'baselines.measurementId')
    .leftJoin('bin', 'bin.measurementId', 'baselines.measurementId')
    .select(['measurements.id', 'request', 'facts', 'deletedAt'])
    .where('name', '=', plainText(target))
    .orderBy('pinnedAt', 'desc')
    .orderBy('measurements.id')
    .execute();
  return rows.map(({ deletedAt, ...row }) => ({ ...storedSchema.parse(row), isBinned: deletedAt !== null }));
}

/** @param instead the earlier pins of the series, which it replaces */
export async function pinBaseline(
  { queries }: Database,
  id: string,
  pinnedAt: number,
  instead: readonly string[],
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('baselines')
      .where('measurementId', 'in', [id, ...instead])
      .execute();
    await transaction.insertInto('baselines').values({ measurementId: id, pinnedAt }).execute();
  });
}

export async function unpinBaseline({ queries }: Database, id: string): Promise<void> {
  await queries.deleteFrom('baselines').where('measurementId', '=', id).execute();
}

/**
 * Loads that runs found, for later runs of the same question. An entry outlives its run, even a deleted one, because a new search
 * would often find another load.
 */

const rowSchema = atLoadSchema.pick({ users: true }).extend({
  sides: jsonText(atLoadSchema.shape.sides),
  runId: permalinkIdSchema,
  at: unixMillisSchema,
});
type LoadRow = z.infer<typeof rowSchema>;

/** Null if there is no readable entry. */
export async function findLoad({ queries }: Database, key: string): Promise<LoadRow | null> {
  const row = await queries
    .selectFrom('loads')
    .select(['users', 'sides', 'runId', 'at'])
    .where('key', '=', key)
    .executeTakeFirst();
  return rowSchema.safeParse(row).data ?? null;
}

/**
 * The first run that finds a load decides; an existing entry stays.
 * @param replacing the entry that no longer fits, deleted unless another run has already replaced it
 */
export async function insertLoad(
  { queries }: Database,
  key: string,
  { sides, ...load }: LoadRow,
  replacing: Pick<LoadRow, 'runId'> | null,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    if (replacing !== null) {
      await transaction
        .deleteFrom('loads')
        .where('key', '=', key)
        .where('runId', '=', replacing.runId)
        .execute();
    }
    await transaction
      .insertInto('loads')
      .values({ key, ...load, sides: JSON.stringify(sides) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  });
}

export async function deleteLoad({ queries }: Database, key: string): Promise<void> {
  await queries.deleteFrom('loads').where('key', '=', key).execute();
}

const estimateNames = ['baseline', 'comparison', 'shift', 'ratio'] as const;
type EstimateName = (typeof estimateNames)[number];
type Column = EstimateName | `${EstimateName}Lo` | `${EstimateName}Hi`;

type Figures = {
  metricFigures: Row & { measurementId: string; place: number };
};

const columns = estimateNames.flatMap((name) => [name, `${name}Lo`, `${name}Hi`] as const);

/** Figures of ended runs by run ID, each in the order of its table. Reads the history, so that documents stay packed. */
export async function listFigures(
  { queries }: Database,
  ids: readonly string[],
): Promise<Map<string, SiteFigure[]>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .withTables<Figures>()
    .selectFrom('metricFigures')
    .select(['measurementId', 'metric', 'unit', 'verdict', ...columns])
    .where('measurementId', 'in', ids)
    .orderBy('place')
    .execute();
  const figures = new Map<string, SiteFigure[]>(ids.map((id) => [id, []]));
  for (const { measurementId, ...row } of rows) figures.get(measurementId)?.push(siteFigureOf(row));
  return figures;
}

type Row = { metric: string; unit: string; verdict: string } & Record<Column, number | null>;

function siteFigureOf({ metric: id, unit, verdict: outcome, ...row }: Row): SiteFigure {
  const estimateOf = (name: EstimateName): Estimate | null => {
    const { [name]: center, [`${name}Lo` as const]: lo, [`${name}Hi` as const]: hi } = row;
    return center === null || lo === null || hi === null ? null : { center, lo, hi };
  };
  return siteFigureSchema.parse({
    ...{ id, unit, outcome, baseline: estimateOf('baseline'), comparison: estimateOf('comparison') },
    ...{ delta: estimateOf('shift'), ratio: estimateOf('ratio') },
  });
}

const mostRows = 60;

const deviationsRowSchema = z.object({
  targetKind: targetKindSchema,
  withinError: z.number().positive(),
  samples: z.number().positive(),
  environment: jsonText(environmentSchema.pick({ cpuModel: true, cores: true }).loose()),
});

/** Standard deviation of a sample's log ratio in the newest finished runs of a machine, by what their errors and samples say. Newest first. */
export async function listSampleDeviations(
  database: Database,
  metric: MetricId,
  { cpuModel, cores }: Pick<Environment, 'cpuModel' | 'cores'>,
): Promise<{ target: TargetKind; deviation: number }[]> {
  const rows = await figuresOfRuns(database)
    .select(['targetKind', 'withinError', 'samples', 'environment'])
    .where('metric', '=', metric)
    .where('withinError', '>', 0)
    .where('samples', '>', 0)
    .where('environment', 'is not', null)
    .limit(mostRows)
    .execute();
  return rows
    .map((row) => deviationsRowSchema.parse(row))
    .filter(({ environment }) => environment.cpuModel === cpuModel && environment.cores === cores)
    .map(({ targetKind, withinError, samples }) => ({
      target: targetKind,
      deviation: withinError * Math.sqrt(samples),
    }));
}
