import type { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { atLoadSchema } from '../../../shared/kinds/comparison/at-load.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';

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
