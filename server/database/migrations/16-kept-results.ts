import type { Kysely } from 'kysely';

/** Results that were restored from the bin, which retention then leaves alone. */
export async function createKept({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('kept')
    .addColumn('measurement_id', 'text', (column) =>
      column.primaryKey().references('measurements.id').onDelete('cascade'),
    )
    .execute();
}
