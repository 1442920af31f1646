import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { declaredViews } from '../../../../shared/measurement/history.ts';
import type { HistoryColumn, HistoryView } from '../../../../shared/measurement/history-view.ts';
import { ofMeasurement } from './columns.ts';

/**
 * What documents say, as rows, in the columns that each kind declares: documents are stored compressed, where SQL cannot look
 * into them. The views add what is known of each measurement. All of it can be made again from the documents: from 0.1.0 on, a
 * migration that changes a column drops these tables and calls this again.
 */
export async function createHistory(queries: Kysely<unknown>): Promise<void> {
  for (const view of declaredViews) {
    await createFigures(queries, view);
    await createView(queries, view);
  }
  await queries.schema
    .createIndex('metric_figures_by_machine')
    .on('metric_figures')
    .columns(['machine', 'metric'])
    .execute();
  await queries.schema
    .createIndex('metric_figures_by_question')
    .on('metric_figures')
    .columns(['question', 'metric'])
    .execute();
}

async function createFigures({ schema }: Kysely<unknown>, { table, columns }: HistoryView): Promise<void> {
  const start = schema
    .createTable(table)
    .addColumn('measurement_id', 'text', ofMeasurement.build)
    .addColumn('place', 'integer', (column) => column.notNull());
  await columns
    .reduce((each, { name, type }) => each.addColumn(name as 'place', storedTypes[type]), start)
    .addPrimaryKeyConstraint(`${table}_key`, ['measurement_id', 'place'])
    .execute();
}

async function createView(queries: Kysely<unknown>, { name, table, columns }: HistoryView): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  const own = columns.map((column) => readColumn(column, isPostgres));
  const [created, finished] = ['created_at', 'ended_at'].map((time) => readTime(time, isPostgres));
  // Otherwise PostgreSQL may evaluate a query's condition on measurements that the view excludes, and an error reveals their titles.
  const barrier = isPostgres ? ' with (security_barrier)' : '';
  await sql
    .raw(
      `create view ${name}${barrier} as select f.measurement_id, m.title, m.state, ${created} as created_at, ${finished} as finished_at, ${own.join(', ')} from ${table} f join measurements m on m.id = f.measurement_id`,
    )
    .execute(queries);
}

/** SQLite has no truth but 1 and 0. */
const storedTypes = {
  text: 'text',
  integer: 'integer',
  real: 'double precision',
  boolean: 'integer',
  time: 'text',
} as const satisfies Record<HistoryColumn['type'], string>;

function readColumn({ name, type }: HistoryColumn, isPostgres: boolean): string {
  return isPostgres && type === 'boolean' ? `f.${name} = 1 as ${name}` : `f.${name}`;
}

function readTime(name: string, isPostgres: boolean): string {
  return isPostgres
    ? `to_timestamp(m.${name} / 1000.0)`
    : `strftime('%Y-%m-%dT%H:%M:%SZ', m.${name} / 1000, 'unixepoch')`;
}
