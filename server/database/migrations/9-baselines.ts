import type { Kysely } from 'kysely';

/** Runs can be pinned as the one that others of their series are counted from. */
export async function createBaselines({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('baselines')
    .addColumn('measurement_id', 'text', (column) =>
      column.primaryKey().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('pinned_at', 'bigint', (column) => column.notNull())
    .execute();
}
