/** Protects what earlier versions stored: their databases are brought up to date whole, or left as they were. */
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Engine, engines, openDatabaseInTest } from '../testing/database-in-test.ts';
import { placeGoldenDatabase } from '../testing/golden-database.ts';
import { createRunTables } from './migrations/earlier-tables.ts';
import { migrate, migrations } from './migrations.ts';
import { openPostgres } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import type { Tables } from './tables.ts';

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

async function rowsOf(queries: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    queries,
  );
  return Number(rows[0]?.count);
}

const failing = {
  ...migrations,
  '9-half': {
    async up({ schema }: Kysely<unknown>) {
      await schema.createTable('half_made').addColumn('id', 'integer').execute();
      throw new Error('stopped');
    },
  },
};

describe.each(engines)('migrations in %s', (engine: Engine) => {
  test('the golden database keeps every row, under its new name', async () => {
    const { database, close } = await openDatabaseInTest(engine, placeGoldenDatabase);
    const { queries } = database;
    const counted = {
      ...{ measurements: 8, blocks: 5, events: 5 + 3, documents: 2 + 3 },
      ...{ tombstones: 2, scenarios: 1, revisions: 1 },
      ...{ labels: 0, label_tags: 0, bin: 0, measured_targets: 5 },
    };
    for (const [table, count] of Object.entries(counted))
      expect(await rowsOf(queries, table), table).toBe(count);
    for (const earlier of ['runs', 'labs', 'lab_events', 'lab_documents', 'migrations'])
      await expect(rowsOf(queries, earlier), earlier).rejects.toThrow(earlier);
    await close();
  });

  test('a migration that fails leaves the database as it was, and the next start brings it up to date', async () => {
    const { database, close } = await openDatabaseInTest(engine, async (place) => {
      await placeGoldenDatabase(place);
      await withQueries(place, async (queries) => {
        await expect(migrate(queries, failing)).rejects.toThrow('stopped');
        expect([await rowsOf(queries, 'runs'), await rowsOf(queries, 'labs')]).toEqual([4, 4]);
        await expect(rowsOf(queries, 'measurements')).rejects.toThrow('measurements');
        await expect(rowsOf(queries, 'half_made')).rejects.toThrow('half_made');
      });
    });
    expect(await rowsOf(database.queries, 'measurements')).toBe(8);
    await close();
  });

  test('a database of the first version goes through all that came after it', async () => {
    const { database, close } = await openDatabaseInTest(engine, (place) =>
      withQueries(place, async (queries) => {
        await createRunTables(queries as Kysely<unknown>);
        await sql`create table migrations (version integer primary key, applied_at bigint)`.execute(queries);
        await sql`insert into migrations values (1, 5)`.execute(queries);
      }),
    );
    expect(await rowsOf(database.queries, 'scenarios')).toBe(0);
    expect(await rowsOf(database.queries, 'measurements')).toBe(0);
    await close();
  });

  test('cells that were stored before their null ratio keep their rows, without it', async () => {
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '6'));
    const { database, close } = await openDatabaseInTest(engine, (place) =>
      withQueries(place, async (queries) => {
        await migrate(queries, before);
        await sql`insert into measurements (id, kind, created_at, state, fence, title, search_text, delete_token_hash, request_hash, summary, request) values ('old', 'sweep', 1, 'finished', 1, 'Old', 'old', 'h', 'h', '{}', '{}')`.execute(
          queries,
        );
        await sql`insert into cell_figures (measurement_id, place, cell, cpu_ratio) values ('old', 0, 'a', 1.5)`.execute(
          queries,
        );
      }),
    );
    const { rows } =
      await sql`select title, cell, cpu_ratio, cpu_null_ratio, generator_limited from v_cells`.execute(
        database.queries.withoutPlugins(),
      );
    expect(rows).toEqual([
      { title: 'Old', cell: 'a', cpu_ratio: 1.5, cpu_null_ratio: null, generator_limited: null },
    ]);
    await close();
  });

  test('what was measured before labels is found by its targets and its verdict', async () => {
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '8'));
    const { database, close } = await openDatabaseInTest(engine, (place) =>
      withQueries(place, async (queries) => {
        await migrate(queries, before);
        const insert = (id: string, kind: string, summary: object, request: object, facts: object | null) =>
          sql`insert into measurements (id, kind, created_at, state, fence, title, search_text, delete_token_hash, request_hash, summary, request, facts) values (${id}, ${kind}, 1, 'finished', 1, 'Old', 'old', 'h', 'h', ${JSON.stringify(summary)}, ${JSON.stringify(request)}, ${facts && JSON.stringify(facts)})`.execute(
            queries,
          );
        const origins = { http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' };
        const cell = (server: string) => ({ id: server, settings: { server } });
        await insert('run', 'comparison', { target: 'storefront', verdict: { outcome: 'overhead' } }, {}, {});
        await insert('queued', 'comparison', { target: 'nginx', verdict: null }, {}, {});
        await insert('sizes', 'sizes', {}, { target: { kind: 'managed', server: 'apache' } }, {});
        await insert('journey', 'journey', {}, { target: { kind: 'origins', ...origins } }, {});
        await insert('bare', 'journey', {}, {}, null);
        await insert('sweep', 'sweep', {}, {}, { cells: [cell('nginx'), cell('node'), cell('nginx')] });
        await insert('grid', 'handshakes', {}, {}, null);
      }),
    );
    const targets = await database.queries
      .selectFrom('measuredTargets')
      .selectAll()
      .orderBy('measurementId')
      .orderBy('name')
      .execute();
    expect(targets.map(({ measurementId, name }) => [measurementId, name])).toEqual([
      ['bare', 'storefront'],
      ['journey', 'http://127.0.0.1:1 | https://127.0.0.1:2'],
      ['queued', 'nginx'],
      ['run', 'storefront'],
      ['sizes', 'apache'],
      ['sweep', 'nginx'],
      ['sweep', 'node'],
    ]);
    const judged = database.queries.selectFrom('measurements').select(['id', 'verdict']);
    expect(await judged.where('verdict', 'is not', null).execute()).toEqual([
      { id: 'run', verdict: 'overhead' },
    ]);
    await close();
  });

  test('a database that a newer version has used is refused, and left as it is', async () => {
    const unknown = { ...migrations, '9-later': { up: async () => {} } };
    const opening = openDatabaseInTest(engine, (place) =>
      withQueries(place, (queries) => migrate(queries, unknown)),
    );
    await expect(opening).rejects.toMatchObject({
      problem: { code: 'data_directory_unusable', detail: expect.stringContaining('newer version') },
    });
  });
});
