import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { problem } from '../../shared/problem.ts';
import type { Tables } from './tables.ts';

/** One set for SQLite and PostgreSQL. Each is applied once, in a transaction. Never change one that was released: add another. */

type Migration = (schema: Kysely<unknown>['schema']) => Promise<void>;

export const migrations: readonly Migration[] = [createTables, createLabTables, createScenarioTables];

/** Brings the schema up to date. Throws data_directory_unusable when a newer version has been here. */
export async function migrate(
  queries: Kysely<Tables>,
  newest: readonly Migration[] = migrations,
): Promise<void> {
  await queries.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const { version } = await queries
    .selectFrom('migrations')
    .select(sql<number>`coalesce(max(version), 0)`.as('version'))
    .executeTakeFirstOrThrow();
  if (version > newest.length) {
    throw problem(
      'data_directory_unusable',
      `The database was last used by a newer version of TLS Toll (schema ${version}, this one knows ${newest.length}).`,
    );
  }
  for (const [index, apply] of newest.entries()) {
    if (index < version) continue;
    await queries.transaction().execute(async (transaction) => {
      await apply(transaction.schema);
      await transaction
        .insertInto('migrations')
        .values({ version: index + 1, appliedAt: Date.now() })
        .execute();
    });
  }
}

/**
 * Narrow columns come first: SQLite then reads a row of the list without touching the pages of the wide ones.
 * SQLite has no type named bytea, and so leaves what is stored under it alone.
 */
async function createTables(schema: Kysely<unknown>['schema']): Promise<void> {
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

async function createLabTables(schema: Kysely<unknown>['schema']): Promise<void> {
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

async function createScenarioTables(schema: Kysely<unknown>['schema']): Promise<void> {
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
