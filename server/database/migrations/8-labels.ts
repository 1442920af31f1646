import type { Kysely } from 'kysely';
import { type AnyTables, eachRow, type Row } from './each-row.ts';

/**
 * What people write on measurements, the bin, and what the list is filtered by. All of it stands in narrow tables of its own:
 * SQLite would read a column behind the wide ones of `measurements` by way of all their pages. Types of the tables are not used
 * here: they describe the newest version only.
 */
export async function createLabels(queries: Kysely<unknown>): Promise<void> {
  const any = queries as Kysely<AnyTables>;
  await createTables(any);
  await eachRow(any, 'measurements', (row) => describeEarlier(any, row));
}

async function createTables({ schema }: Kysely<AnyTables>): Promise<void> {
  await schema
    .createTable('labels')
    .addColumn('measurement_id', 'text', (column) =>
      column.primaryKey().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('title', 'text')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('label_tags')
    .addColumn('measurement_id', 'text', (column) =>
      column.notNull().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('label_tags_key', ['measurement_id', 'place'])
    .execute();
  await schema
    .createTable('measured_targets')
    .addColumn('measurement_id', 'text', (column) =>
      column.notNull().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('measured_targets_key', ['measurement_id', 'name'])
    .execute();
  await schema
    .createTable('bin')
    .addColumn('measurement_id', 'text', (column) =>
      column.primaryKey().references('measurements.id').onDelete('cascade'),
    )
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.alterTable('measurements').addColumn('verdict', 'text').execute();
  for (const [name, table, columns] of [
    ['label_tags_by_key', 'label_tags', ['key', 'measurement_id']],
    ['measured_targets_by_name', 'measured_targets', ['name', 'measurement_id']],
    ['bin_by_time', 'bin', ['deleted_at', 'measurement_id']],
    ['measurements_by_verdict', 'measurements', ['verdict', 'id']],
  ] as const) {
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
}

async function describeEarlier(queries: Kysely<AnyTables>, row: Row): Promise<void> {
  const measurementId = row.id;
  for (const name of new Set(targetsOf(row))) {
    await queries.insertInto('measuredTargets').values({ measurementId, name }).execute();
  }
  const verdict = read(row.summary).verdict?.outcome;
  if (typeof verdict === 'string') {
    await queries.updateTable('measurements').set({ verdict }).where('id', '=', measurementId).execute();
  }
}

/** As its kind would say it. */
function targetsOf({ kind, summary, request, facts }: Row): string[] {
  switch (kind) {
    case 'comparison': {
      const { target } = read(summary);
      return typeof target === 'string' ? [target] : [];
    }
    case 'sizes':
      return [nameOf(read(request).target ?? 'nginx')];
    case 'journey':
      return [nameOf(read(request).target ?? 'storefront')];
    case 'sweep':
      return (read(facts).cells ?? []).map((cell: Parsed) => String(cell.settings?.server));
    default:
      return [];
  }
}

function nameOf(target: string | Parsed): string {
  if (typeof target === 'string') return target;
  if (target.http !== undefined) return `${target.http} | ${target.https}`;
  return String(target.server ?? target.kind);
}

// biome-ignore lint/suspicious/noExplicitAny: as an earlier version stored it
type Parsed = Record<string, any>;

function read(json: Row[string]): Parsed {
  return json == null ? {} : (JSON.parse(String(json)) ?? {});
}
