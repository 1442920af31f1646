import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { problem } from '../../shared/problem.ts';
import { createMeasurementTables } from './migrations/4-measurements.ts';
import { createHistory } from './migrations/5-history.ts';
import { addNullRatios } from './migrations/6-null-ratios.ts';
import { addBlockPlaces } from './migrations/7-block-places.ts';
import { createLabels } from './migrations/8-labels.ts';
import { createBaselines } from './migrations/9-baselines.ts';
import { createPermittedTargets } from './migrations/10-permitted-targets.ts';
import { createSchedules } from './migrations/11-schedules.ts';
import { createTeam } from './migrations/12-team.ts';
import { createApiKeys } from './migrations/13-api-keys.ts';
import { createRunners } from './migrations/14-runners.ts';
import { addScheduleStarters } from './migrations/15-schedule-starters.ts';
import { createAuditLog } from './migrations/16-audit-log.ts';
import { createKept } from './migrations/16-kept-results.ts';
import { addScheduleLabels } from './migrations/17-schedule-labels.ts';
import { createBatches } from './migrations/18-batches.ts';
import { addPrecisionFigures } from './migrations/19-precision-figures.ts';
import { nameCosts } from './migrations/20-cost-names.ts';
import { createLabTables, createRunTables, createScenarioTables } from './migrations/earlier-tables.ts';
import type { Tables } from './tables.ts';

/**
 * One set for SQLite and PostgreSQL, in this order, which is that of the characters of their names too: from 10 on they begin
 * with a letter. Never change one that was released: add another.
 */
export const migrations: Record<string, Migration> = {
  '1-runs': { up: createRunTables },
  '2-labs': { up: createLabTables },
  '3-scenarios': { up: createScenarioTables },
  '4-measurements': { up: createMeasurementTables },
  '5-history': { up: createHistory },
  '6-null-ratios': { up: addNullRatios },
  '7-block-places': { up: addBlockPlaces },
  '8-labels': { up: createLabels },
  '9-baselines': { up: createBaselines },
  'a10-permitted-targets': { up: createPermittedTargets },
  'a11-schedules': { up: createSchedules },
  'a12-team': { up: createTeam },
  'a13-api-keys': { up: createApiKeys },
  'a14-runners': { up: createRunners },
  'a15-schedule-starters': { up: addScheduleStarters },
  'a16-audit-log': { up: createAuditLog },
  'a16-kept-results': { up: createKept },
  'a17-schedule-labels': { up: addScheduleLabels },
  'a18-batches': { up: createBatches },
  'a19-precision-figures': { up: addPrecisionFigures },
  'a20-cost-names': { up: nameCosts },
};

/**
 * Brings the schema up to date, all of it or nothing. Throws data_directory_unusable when a newer version has used the
 * database.
 */
export async function migrate(
  queries: Kysely<Tables>,
  known: Record<string, Migration> = migrations,
): Promise<void> {
  await adoptNumberedVersions(queries, Object.keys(known));
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

/** Versions 1 to 3 were counted in a table of our own, which is taken over into the library's. */
async function adoptNumberedVersions(queries: Kysely<Tables>, names: readonly string[]): Promise<void> {
  if (!(await hasTable(queries, 'migrations'))) return;
  await queries
    .withoutPlugins()
    .withTables<{
      migrations: { version: number };
      kysely_migration: { name: string; timestamp: string };
    }>()
    .transaction()
    .execute(async (transaction) => {
      const rows = await transaction.selectFrom('migrations').select('version').execute();
      await transaction.schema
        .createTable('kysely_migration')
        .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
        .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
        .execute();
      for (const { version } of rows) {
        const name = names[version - 1] ?? `${version}-unknown`;
        const timestamp = new Date().toISOString();
        await transaction.insertInto('kysely_migration').values({ name, timestamp }).execute();
      }
      await transaction.schema.dropTable('migrations').execute();
    });
}

async function refuseNewer(queries: Kysely<Tables>, names: readonly string[]): Promise<void> {
  if (!(await hasTable(queries, 'kysely_migration'))) return;
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

async function hasTable(queries: Kysely<Tables>, name: string): Promise<boolean> {
  const tables = await queries.withoutPlugins().introspection.getTables({ withInternalKyselyTables: true });
  return tables.some((table) => table.name === name);
}
