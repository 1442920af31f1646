import type { Kysely } from 'kysely';

/** Scenarios and their revisions, which never change. SQLite has no type named bytea, and so leaves what is stored under it alone. */
export async function createScenarios({ schema }: Kysely<unknown>): Promise<void> {
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
}
