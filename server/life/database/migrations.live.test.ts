/** Protects the schema: it is made whole or not at all, once, the same in SQLite and PostgreSQL. */
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { historyViewNames } from '../../../shared/results/history.ts';
import { type Engine, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { listMeasurements } from './list-measurements.ts';
import { migrate, migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import type { Tables } from './packed-text.ts';
import { insertSchedule, listScheduleRows, type ScheduleRow } from './schedules.ts';

type Place = { directory: string; url: string | null };

/** Does something with a database as it is, and leaves it closed. */
async function withQueries(
  { directory, url }: Place,
  act: (queries: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const { dialect, close } = url === null ? openSqlite(directory, false) : await openPostgres(url);
  const queries = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  await act(queries)
    .finally(() => queries.destroy())
    .finally(close);
}

/** Each table and view of ours with its columns. */
async function columnsOf(queries: Kysely<Tables>): Promise<Record<string, string[]>> {
  const tables = await queries.withoutPlugins().introspection.getTables();
  const own = tables.filter(({ schema }) => schema !== 'pgboss');
  return Object.fromEntries(own.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

/** All that queries know: of one that is missing here, the type says so. */
const tables: Record<keyof Tables, true> = {
  measurements: true,
  blocks: true,
  events: true,
  documents: true,
  annotations: true,
  annotationTags: true,
  measuredTargets: true,
  bin: true,
  kept: true,
  baselines: true,
  schedules: true,
  scheduled: true,
  permittedTargets: true,
  loads: true,
  auditLog: true,
  tombstones: true,
  scenarios: true,
  revisions: true,
  users: true,
  sessions: true,
  accounts: true,
  verifications: true,
  apiKeys: true,
  starters: true,
  runners: true,
  assignments: true,
  batches: true,
  batchSites: true,
};

const later = {
  ...migrations,
  '99-half': {
    async up({ schema }: Kysely<unknown>) {
      await schema.createTable('half_made').addColumn('id', 'integer').execute();
      throw new Error('stopped');
    },
  },
};

describe.each(engines)('migrations in %s', (engine: Engine) => {
  test('an empty database gets every table and view', async () => {
    const { database, close } = await openDatabaseInTest(engine);
    for (const table of [...Object.keys(tables), ...historyViewNames]) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(database.queries);
      expect(rows, table).toEqual([]);
    }
    await close();
  });

  test('a second start changes nothing', async () => {
    const { database, place, close } = await openDatabaseInTest(engine);
    const { id } = await insertInTest(database);
    const before = await columnsOf(database.queries);
    const again = await openDatabase(place);
    expect(await columnsOf(again.queries)).toEqual(before);
    expect(await again.queries.selectFrom('measurements').select('id').execute()).toEqual([{ id }]);
    await again.close();
    await close();
  });

  test('a migration that fails leaves the database as it was, and the next start brings it up to date', async () => {
    const { database, close } = await openDatabaseInTest(engine, (place) =>
      withQueries(place, async (queries) => {
        await expect(migrate(queries, later)).rejects.toThrow('stopped');
        expect(await columnsOf(queries)).toEqual({});
      }),
    );
    expect(await columnsOf(database.queries)).toHaveProperty('measurements');
    await close();
  });

  test('comparisons with a preset stay in the list as made by an earlier version, and their schedules pause', async () => {
    const { database, place, close } = await openDatabaseInTest(engine);
    const summary = { scenario: 'Search', preset: 'standard', verdict: { outcome: 'overhead' }, found: {} };
    const run = await insertInTest(database, { kind: 'comparison', summary });
    const other = await insertInTest(database);
    const { queries } = database;
    await insertSchedule(database, {
      ...{ id: 'Schedule1'.padEnd(22, '0'), createdAt: 1, kind: 'comparison', title: 'Nightly' },
      ...{ request: { kind: 'comparison', preset: 'quick' }, requestHash: 'x', tags: [], labels: {} },
      ...{ deleteTokenHash: 'x', rhythm: { every: 'hour' }, times: null, lastDay: null, state: 'on' },
      ...{
        nextAt: 5,
        measured: 0,
        startedBy: null,
        lastAt: null,
        lastMeasurementId: null,
        lastProblem: null,
      },
    } as unknown as ScheduleRow);
    // State that an earlier version left.
    await sql`drop view v_metrics`.execute(queries);
    await sql`alter table metric_figures rename column length to preset`.execute(queries);
    await sql`alter table measurements drop column continues`.execute(queries);
    await sql`delete from kysely_migration where name = '03-lengths'`.execute(queries);
    await database.close();

    const again = await openDatabase(place);
    const { page } = await listMeasurements(again, { kinds: null, limit: 10 });
    const noted = { scenario: 'Search', length: 'quote', verdict: null, earlier: true };
    expect(page.find(({ id }) => id === run.id)?.summary).toEqual(noted);
    expect(page.find(({ id }) => id === other.id)?.summary).toEqual({});
    expect(await listScheduleRows(again)).toMatchObject([
      {
        state: 'paused',
        nextAt: null,
        lastProblem: { code: 'invalid_request', errors: [{ field: 'preset' }] },
      },
    ]);
    expect(await columnsOf(again.queries)).toMatchObject({
      metric_figures: expect.arrayContaining(['length', 'samples']),
      v_metrics: expect.arrayContaining(['length']),
    });
    await again.close();
    await close();
  });

  test('a database that a newer version has used is refused, and left as it is', async () => {
    const unknown = { ...migrations, '99-later': { up: async () => {} } };
    const opening = openDatabaseInTest(engine, (place) =>
      withQueries(place, async (queries) => void (await migrate(queries, unknown))),
    );
    await expect(opening).rejects.toMatchObject({
      problem: { code: 'data_directory_unusable', detail: expect.stringContaining('newer version') },
    });
  });
});

test.skipIf(engines.length < 2)('both databases have the same tables with the same columns', async () => {
  const [sqlite, postgres] = await Promise.all(
    engines.map(async (engine) => {
      const { database, close } = await openDatabaseInTest(engine);
      const columns = await columnsOf(database.queries);
      await close();
      return columns;
    }),
  );
  expect(postgres).toEqual(sqlite);
});
