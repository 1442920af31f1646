import type { Kysely } from 'kysely';

/** Requests that several runners measure, and the measurement of each site. */
export async function createBatches({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('idempotency_hash', 'text', (column) => column.unique())
    .execute();
  // Measurements are not referenced: a site whose measurement was deleted is still shown.
  await schema
    .createTable('batch_sites')
    .addColumn('batch_id', 'text', (column) => column.notNull().references('batches.id').onDelete('cascade'))
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('measurement_id', 'text', (column) => column.notNull().unique())
    .addColumn('labels', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('batch_sites_key', ['batch_id', 'place'])
    .execute();
}
