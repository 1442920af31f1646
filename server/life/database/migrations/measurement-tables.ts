import type { Kysely } from 'kysely';
import { eachMeasurement, ofMeasurement } from './references.ts';

/** Measurements of every kind, what is stored of them while they go on, and what is left of those that were removed. */
export async function createMeasurements(queries: Kysely<unknown>): Promise<void> {
  await createLines(queries);
  await createParts(queries);
  await createBatches(queries);
}

/** Narrow columns come first: SQLite then reads a row of the list without touching the pages of the wide ones. */
async function createLines({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('measurements')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text')
    .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('delete_token_hash', 'text', (column) => column.notNull())
    .addColumn('idempotency_hash', 'text', (column) => column.unique())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    // A run keeps the revision that it used alive; its own copy of the scenario makes a constraint needless.
    .addColumn('revision_id', 'text')
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('environment', 'text')
    .execute();
  for (const [name, columns] of [
    ['measurements_by_time', ['created_at', 'id', 'search_text']],
    ['measurements_by_state', ['state', 'created_at', 'id', 'search_text']],
    ['measurements_by_kind', ['kind', 'created_at', 'id', 'search_text']],
    ['measurements_by_revision', ['revision_id']],
    ['measurements_by_verdict', ['verdict', 'id']],
    ['measurements_by_request', ['request_hash', 'created_at', 'id']],
  ] as const) {
    await schema
      .createIndex(name)
      .on('measurements')
      .columns([...columns])
      .execute();
  }
  await schema
    .createTable('tombstones')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createParts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('blocks')
    .addColumn('measurement_id', 'text', ofMeasurement)
    .addColumn('block_index', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    // What it is about, so that those of one cell are read without all others.
    .addColumn('place', 'integer')
    .addPrimaryKeyConstraint('blocks_key', ['measurement_id', 'block_index'])
    .execute();
  await schema.createIndex('blocks_by_place').on('blocks').columns(['measurement_id', 'place']).execute();
  await schema
    .createTable('events')
    .addColumn('measurement_id', 'text', ofMeasurement)
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_key', ['measurement_id', 'id'])
    .execute();
  await schema
    .createTable('documents')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('figures_version', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .execute();
}

/** Requests that several runners measure, and the measurement of each site. */
async function createBatches({ schema }: Kysely<unknown>): Promise<void> {
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
