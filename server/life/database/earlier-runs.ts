import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import { nonNegativeSchema, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { estimateSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricIds } from '../../../shared/kinds/comparison/metric.ts';
import { metricIdSchema } from '../../../shared/kinds/comparison/metric-schema.ts';
import type { LaunchesVariance } from '../../../shared/kinds/comparison/precision.ts';
import { figuresOfRuns } from './figures-of-runs.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import type { FigureTables } from './tables.ts';

/** What finished runs left in the history for the next ones. Rows that cannot be read are left out: a run does without them. */

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

/** What these runs found in some metrics, where it was noted how sure it is, and not refused. */
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
