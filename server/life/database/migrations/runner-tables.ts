import type { Kysely } from 'kysely';
import { eachMeasurement } from './references.ts';

/** Who measures, and what each measurement waits for or is measured by. */
export async function createRunners({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('runners')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('session', 'text', (column) => column.notNull().unique())
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('machine', 'text', (column) => column.notNull())
    .addColumn('beat', 'integer', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('left_at', 'bigint')
    .execute();
  await schema
    .createTable('assignments')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('session', 'text')
    .addColumn('taken', 'integer', (column) => column.notNull())
    .addColumn('wish', 'text')
    .execute();
  await schema.createIndex('assignments_by_session').on('assignments').column('session').execute();
}
