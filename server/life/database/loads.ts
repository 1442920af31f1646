import type { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { atLoadSchema } from '../../../shared/kinds/comparison/at-load.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

/**
 * Loads that runs found, for later runs of the same question. An entry outlives the run that found it, in the bin or deleted: a load
 * that was found again would often be another one.
 */

const rowSchema = atLoadSchema.pick({ users: true }).extend({
  sides: jsonText(atLoadSchema.shape.sides),
  runId: permalinkIdSchema,
  at: unixMillisSchema,
});
type LoadRow = z.infer<typeof rowSchema>;

/** Null where there is none, or one that cannot be read. */
export async function findLoad({ queries }: Database, key: string): Promise<LoadRow | null> {
  const row = await queries
    .selectFrom('loads')
    .select(['users', 'sides', 'runId', 'at'])
    .where('key', '=', key)
    .executeTakeFirst();
  return rowSchema.safeParse(row).data ?? null;
}

/**
 * The first run that finds a load decides on it; what is stored already stays.
 * @param replacing the entry that no longer fits, which goes unless another run has replaced it meanwhile
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
