import { z } from 'zod';
import { type Estimate, type VerdictOutcome, verdictOutcomeSchema } from '../../shared/comparison.ts';
import type { MetricId } from '../../shared/metric.ts';
import type { TransportPair } from '../../shared/transport.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../shared/units.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';

/** What the history knows of a run by name; runs of a series have all of it in common, and more. */
export type RunNames = { target: string; scenario: string; preset: string; transports: TransportPair };

/** A run as it was stored: what was asked and noted, to tell whether it is of a series. */
export type StoredRow = { id: string; request: unknown; facts: unknown };

/** A finished run whose ratio of a metric is known. */
export type SeriesRow = StoredRow & {
  createdAt: number;
  environment: unknown;
  ratio: Estimate;
  outcome: VerdictOutcome;
};

type Figures = {
  metricFigures: {
    measurementId: string;
    target: string;
    scenario: string;
    preset: string;
    baselineTransport: string;
    comparisonTransport: string;
    metric: string;
    ratio: number | null;
    ratioLo: number | null;
    ratioHi: number | null;
    verdict: string;
  };
};

/** The newest of them, for a picture in which each can be seen. */
export const mostSeriesRuns = 300;

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
});

/** Oldest first. */
export async function listSeriesRows(
  database: Database,
  names: RunNames,
  metric: MetricId,
): Promise<SeriesRow[]> {
  const rows = await runsNamed(database, names)
    .select(['measurements.id', 'createdAt', 'request', 'facts', 'environment'])
    .select(['ratio', 'ratioLo', 'ratioHi', 'metricFigures.verdict as outcome'])
    .where('metric', '=', metric)
    .where('metricFigures.verdict', '!=', 'refused')
    .where('ratioLo', '>', 0)
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(mostSeriesRuns)
    .execute();
  return rows
    .map((row) => rowSchema.parse(row))
    .map(({ ratio: center, ratioLo: lo, ratioHi: hi, ...row }) => ({ ...row, ratio: { center, lo, hi } }))
    .reverse();
}

/** Those that are pinned, of any series with these names; the newest pin first. */
export async function listPinned(database: Database, names: RunNames): Promise<StoredRow[]> {
  const rows = await runsNamed(database, names)
    .innerJoin('baselines', 'baselines.measurementId', 'measurements.id')
    .select(['measurements.id', 'request', 'facts', 'pinnedAt'])
    .distinct()
    .orderBy('pinnedAt', 'desc')
    .execute();
  return rows.map((row) => storedSchema.parse(row));
}

function runsNamed({ queries }: Database, { target, scenario, preset, transports }: RunNames) {
  return queries
    .withTables<Figures>()
    .selectFrom('measurements')
    .innerJoin('metricFigures', 'metricFigures.measurementId', 'measurements.id')
    .where('state', '=', 'finished')
    .where('target', '=', plainText(target))
    .where('scenario', '=', plainText(scenario))
    .where('preset', '=', preset)
    .where('baselineTransport', '=', transports[0])
    .where('comparisonTransport', '=', transports[1]);
}

/** @param instead those that were pinned before */
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
