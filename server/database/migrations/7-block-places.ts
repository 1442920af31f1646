import type { Kysely } from 'kysely';

/** Blocks say what they are about, so that those of one cell are read without all others. Null in earlier ones. */
export async function addBlockPlaces(queries: Kysely<unknown>): Promise<void> {
  await queries.schema.alterTable('blocks').addColumn('place', 'integer').execute();
  await queries.schema
    .createIndex('blocks_by_place')
    .on('blocks')
    .columns(['measurement_id', 'place'])
    .execute();
}
