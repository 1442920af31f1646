import { z } from 'zod';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { ratioSchema, ratiosOfRuns } from './figures-of-runs.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';

const storedSchema = z.object({
  id: permalinkIdSchema,
  request: jsonText(z.unknown()),
  facts: jsonText(z.unknown()).nullable(),
});

/** A run as it was stored: its request and facts show which question it asked. */
export type PinnedRow = z.infer<typeof storedSchema> & { isBinned: boolean };

const seriesSchema = storedSchema
  .extend({ environment: jsonText(z.unknown()).nullable(), outcome: verdictOutcomeSchema })
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
