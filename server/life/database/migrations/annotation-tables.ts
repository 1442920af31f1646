import type { Kysely } from 'kysely';
import { eachMeasurement, ofMeasurement } from './references.ts';

/**
 * What people write on measurements, the bin, and what the list is filtered by. All of it stands in narrow tables of its own:
 * SQLite would read a column behind the wide ones of `measurements` by way of all their pages.
 */
export async function createAnnotations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('annotations')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('title', 'text')
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('annotation_tags')
    .addColumn('measurement_id', 'text', ofMeasurement)
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('annotation_tags_key', ['measurement_id', 'place'])
    .execute();
  await schema
    .createTable('measured_targets')
    .addColumn('measurement_id', 'text', ofMeasurement)
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('measured_targets_key', ['measurement_id', 'name'])
    .execute();
  await schema
    .createTable('bin')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
  // Those that were restored from the bin, which retention then leaves alone.
  await schema.createTable('kept').addColumn('measurement_id', 'text', eachMeasurement).execute();
  // Pinned runs, which others of their series are counted from.
  await schema
    .createTable('baselines')
    .addColumn('measurement_id', 'text', eachMeasurement)
    .addColumn('pinned_at', 'bigint', (column) => column.notNull())
    .execute();
  for (const [name, table, columns] of [
    ['annotation_tags_by_key', 'annotation_tags', ['key', 'measurement_id']],
    ['measured_targets_by_name', 'measured_targets', ['name', 'measurement_id']],
    ['bin_by_time', 'bin', ['deleted_at', 'measurement_id']],
  ] as const) {
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  }
}
