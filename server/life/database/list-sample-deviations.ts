import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { type TargetKind, targetKindSchema } from '../../../shared/target/target.ts';
import { figuresOfRuns } from './figures-of-runs.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

const mostRows = 60;

const rowSchema = z.object({
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
    .map((row) => rowSchema.parse(row))
    .filter(({ environment }) => environment.cpuModel === cpuModel && environment.cores === cores)
    .map(({ targetKind, withinError, samples }) => ({
      target: targetKind,
      deviation: withinError * Math.sqrt(samples),
    }));
}
