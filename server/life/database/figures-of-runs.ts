import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import type { Database } from './open-database.ts';
import type { FigureTables } from './tables.ts';

/**
 * What finished runs left in the history, with their measurements, the newest first. What is in the bin has left it. A run that another
 * one continues is part of that one.
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

/** Of the runs of a question, where the ratio of a metric is known. Each row is for `ratioSchema`. */
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
    /** Of the logarithm of the ratio, without what moves between runs; null where it was not noted. */
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
