import type { Kysely } from 'kysely';
import { eachMeasurement } from './references.ts';

/** Measurements that are repeated, and which ones were measured for them. */
export async function createSchedules({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('schedules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    // That the runner of its measurements must have.
    .addColumn('labels', 'text', (column) => column.notNull())
    // The user who made it, who counts as the starter of its measurements.
    .addColumn('started_by', 'text')
    .addColumn('delete_token_hash', 'text', (column) => column.notNull())
    .addColumn('rhythm', 'text', (column) => column.notNull())
    .addColumn('times', 'integer')
    .addColumn('last_day', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('measured', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'bigint')
    .addColumn('last_measurement_id', 'text', (column) =>
      column.references('measurements.id').onDelete('set null'),
    )
    .addColumn('last_problem', 'text')
    .execute();
  // Without a reference: what was measured for a schedule outlives it.
  await schema
    .createTable('scheduled')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('schedule_id', 'text', (column) => column.notNull())
    .execute();
}
