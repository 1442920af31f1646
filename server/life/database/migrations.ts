import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { problem } from '../../../shared/base/problem.ts';
import { cutPrivateKeys } from './cut-private-keys.ts';
import { bringLengths } from './migrations/bring-lengths.ts';
import { createTables } from './migrations/create-tables.ts';
import type { Tables } from './tables.ts';

/**
 * One set for SQLite and PostgreSQL, in the order of the characters of their names. Never change one that was released: add
 * another.
 */
export const migrations: Record<string, Migration> = {
  '01-tables': { up: createTables },
  /** Recorded after `cutPrivateKeys`, because VACUUM can't run in a transaction. */
  '02-keyless': { up: async () => {} },
  '03-lengths': { up: bringLengths },
};

/**
 * Brings the schema, all of it or nothing, and the stored data up to date. Throws data_directory_unusable if a newer version has used
 * the database.
 * @returns a sentence for the log about changed data; null for none
 */
export async function migrate(
  queries: Kysely<Tables>,
  known: Record<string, Migration> = migrations,
): Promise<string | null> {
  const applied = await namesApplied(queries, Object.keys(known));
  const mayHoldKeys = applied.includes('01-tables') && !applied.includes('02-keyless');
  const notice = mayHoldKeys ? await cutPrivateKeys(queries) : null;
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => known },
    // Several may be written at the same time, and the one with the lower number be used later.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return notice;
}

/** Names of the migrations already applied. */
async function namesApplied(queries: Kysely<Tables>, known: readonly string[]): Promise<string[]> {
  const tables = await queries.withoutPlugins().introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const applied = await queries
    .withoutPlugins()
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return applied.map(({ name }) => name);
  throw problem(
    'data_directory_unusable',
    `The database was last used by a newer version of TLS Toll (schema ${unknown.name}, this one knows up to ${known.at(-1)}).`,
  );
}
