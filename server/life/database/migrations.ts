import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { problem } from '../../../shared/base/problem.ts';
import { createTables } from './migrations/create-tables.ts';
import type { Tables } from './tables.ts';

/**
 * One set for SQLite and PostgreSQL, in the order of the characters of their names. Never change one that was released: add
 * another.
 */
export const migrations: Record<string, Migration> = {
  '01-tables': { up: createTables },
};

/**
 * Brings the schema up to date, all of it or nothing. Throws data_directory_unusable when a newer version has used the
 * database.
 */
export async function migrate(
  queries: Kysely<Tables>,
  known: Record<string, Migration> = migrations,
): Promise<void> {
  await refuseNewer(queries, Object.keys(known));
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => known },
    // Several may be written at the same time, and the one with the lower number be used later.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function refuseNewer(queries: Kysely<Tables>, names: readonly string[]): Promise<void> {
  const tables = await queries.withoutPlugins().introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const applied = await queries
    .withoutPlugins()
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = applied.find(({ name }) => !names.includes(name));
  if (unknown === undefined) return;
  throw problem(
    'data_directory_unusable',
    `The database was last used by a newer version of TLS Toll (schema ${unknown.name}, this one knows up to ${names.at(-1)}).`,
  );
}
