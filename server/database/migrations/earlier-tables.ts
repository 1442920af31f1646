import type { Kysely } from 'kysely';

/** The first three versions of the schema, as they were released. */

/**
 * Narrow columns come first: SQLite then reads a row of the list without touching the pages of the wide ones.
 * SQLite has no type named bytea, and so leaves what is stored under it alone.
 */
export async function createRunTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('runs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('preset', 'text', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('scenario_name', 'text', (column) => column.notNull())
    .addColumn('target_name', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('delete_token_hash', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text')
    .addColumn('problem', 'text')
    .addColumn('warnings', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('scenario', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('environment', 'text')
    .addColumn('preflight', 'text')
    .addColumn('cache', 'text')
    .execute();
  await schema.createIndex('runs_by_time').on('runs').columns(['created_at', 'id', 'search_text']).execute();
  await schema
    .createIndex('runs_by_state')
    .on('runs')
    .columns(['state', 'created_at', 'id', 'search_text'])
    .execute();

  await schema
    .createTable('blocks')
    .addColumn('run_id', 'text', (column) => column.notNull().references('runs.id').onDelete('cascade'))
    .addColumn('block_index', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('blocks_key', ['run_id', 'block_index'])
    .execute();
  await schema
    .createTable('events')
    .addColumn('run_id', 'text', (column) => column.notNull().references('runs.id').onDelete('cascade'))
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_key', ['run_id', 'id'])
    .execute();
  await schema
    .createTable('documents')
    .addColumn('run_id', 'text', (column) => column.primaryKey().references('runs.id').onDelete('cascade'))
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .execute();
  await schema
    .createTable('tombstones')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
}

export async function createLabTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('labs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('delete_token_hash', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.unique())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('request', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('labs_by_time').on('labs').columns(['created_at', 'id']).execute();
  await schema
    .createTable('lab_events')
    .addColumn('run_id', 'text', (column) => column.notNull().references('labs.id').onDelete('cascade'))
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('lab_events_key', ['run_id', 'id'])
    .execute();
  await schema
    .createTable('lab_documents')
    .addColumn('run_id', 'text', (column) => column.primaryKey().references('labs.id').onDelete('cascade'))
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .execute();
}

export async function createScenarioTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('scenarios')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('newest', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('steps', 'integer', (column) => column.notNull())
    .addColumn('secrets', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('revisions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('scenario_id', 'text', (column) => column.notNull().references('scenarios.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('body', 'bytea', (column) => column.notNull())
    .addUniqueConstraint('revisions_by_number', ['scenario_id', 'number'])
    .execute();
  // A run keeps the revision that it used alive; the run's own copy of the scenario makes a constraint needless.
  await schema.alterTable('runs').addColumn('revision_id', 'text').execute();
  await schema.createIndex('runs_by_revision').on('runs').column('revision_id').execute();
}
