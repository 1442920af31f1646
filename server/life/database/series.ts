import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import {
  type Estimate,
  type VerdictOutcome,
  verdictOutcomeSchema,
} from '../../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import type { FigureTables } from './tables.ts';

/** A run as it was stored: its request and facts show which question it asked. */
type StoredRow = { id: string; request: unknown; facts: unknown };

export type PinnedRow = StoredRow & { isBinned: boolean };

/** A finished run whose ratio of a metric is known. */
export type SeriesRow = StoredRow & {
  createdAt: number;
  environment: unknown;
  ratio: Estimate;
  outcome: VerdictOutcome;
  /** Of the logarithm of the ratio, without what moves between runs; null where it was not noted. */
  withinError: number | null;
  /** What widened its interval to either side. */
  widened: number;
};

/** Only the newest, so that each can be seen in the chart. */
const mostSeriesRuns = 300;

const storedSchema = z.object({
  id: permalinkIdSchema,
  request: jsonText(z.unknown()),
  facts: jsonText(z.unknown()).nullable(),
});

const rowSchema = storedSchema.extend({
  createdAt: unixMillisSchema,
  environment: jsonText(z.unknown()).nullable(),
  ratio: z.number().positive(),
  ratioLo: z.number().positive(),
  ratioHi: z.number().positive(),
  outcome: verdictOutcomeSchema,
  withinError: z.number().nullable(),
  wideningDrift: z.number().nullable(),
  wideningTwin: z.number().nullable(),
  wideningCarryOver: z.number().nullable(),
});

/** Oldest first. Runs in the bin have no rows in the history, so they are left out. */
export async function listSeriesRows(
  { queries }: Database,
  question: string,
  metric: MetricId,
): Promise<SeriesRow[]> {
  const rows = await queries
    .withTables<FigureTables>()
    .selectFrom('measurements')
    .innerJoin('metricFigures', 'metricFigures.measurementId', 'measurements.id')
    .select(['measurements.id', 'createdAt', 'request', 'facts', 'environment'])
    .select(['ratio', 'ratioLo', 'ratioHi', 'metricFigures.verdict as outcome'])
    .select(['withinError', 'wideningDrift', 'wideningTwin', 'wideningCarryOver'])
    .where('state', '=', 'finished')
    .where('question', '=', question)
    .where('metric', '=', metric)
    .where('metricFigures.verdict', '!=', 'refused')
    .where('ratioLo', '>', 0)
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(mostSeriesRuns)
    .execute();
  return rows
    .map((row) => rowSchema.parse(row))
    .map(seriesRowOf)
    .reverse();
}

function seriesRowOf({
  ratio: center,
  ratioLo: lo,
  ratioHi: hi,
  wideningDrift,
  wideningTwin,
  wideningCarryOver,
  ...row
}: z.infer<typeof rowSchema>): SeriesRow {
  const widened = (wideningDrift ?? 0) + (wideningTwin ?? 0) + (wideningCarryOver ?? 0);
  return { ...row, widened, ratio: { center, lo, hi } };
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
