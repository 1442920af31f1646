import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import { type Preset, presetSchema } from '../../../shared/kinds/comparison/load-choice.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { figuresOfRuns } from './figures-of-runs.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

type HalfWidth = { preset: Preset; halfWidth: number };

const mostRows = 60;

const rowSchema = z.object({
  preset: presetSchema,
  ratio: z.number().positive(),
  ratioLo: z.number(),
  ratioHi: z.number(),
  environment: jsonText(environmentSchema.pick({ cpuModel: true, cores: true }).loose()),
});

/** How narrow the newest finished runs of a machine knew a ratio: half of the interval, as a share of the ratio. Newest first. */
export async function listHalfWidths(
  database: Database,
  metric: MetricId,
  { cpuModel, cores }: Pick<Environment, 'cpuModel' | 'cores'>,
): Promise<HalfWidth[]> {
  const rows = await figuresOfRuns(database)
    .select(['preset', 'ratio', 'ratioLo', 'ratioHi', 'environment'])
    .where('metric', '=', metric)
    .where('ratioLo', 'is not', null)
    .where('environment', 'is not', null)
    .limit(mostRows)
    .execute();
  return rows
    .map((row) => rowSchema.parse(row))
    .filter(({ environment }) => environment.cpuModel === cpuModel && environment.cores === cores)
    .map(({ preset, ratio, ratioLo, ratioHi }) => ({ preset, halfWidth: (ratioHi - ratioLo) / 2 / ratio }));
}
