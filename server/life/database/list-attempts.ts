import { z } from 'zod';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

const attemptSchema = z.object({
  id: permalinkIdSchema,
  kind: z.string(),
  state: measurementStateSchema,
  createdAt: unixMillisSchema,
  problem: jsonText(problemSchema).nullable(),
  isBinned: z.unknown().transform((measurementId) => measurementId !== null),
});
export type Attempt = z.infer<typeof attemptSchema>;

const most = 200;

/** Measurements of one request, the newest first; those in the bin are among them. */
export async function listAttempts({ queries }: Database, requestHash: string): Promise<Attempt[]> {
  const rows = await queries
    .selectFrom('measurements')
    .leftJoin('bin', 'bin.measurementId', 'measurements.id')
    .select(['id', 'kind', 'state', 'createdAt', 'problem', 'bin.measurementId as isBinned'])
    .where('requestHash', '=', requestHash)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => attemptSchema.parse(row));
}
