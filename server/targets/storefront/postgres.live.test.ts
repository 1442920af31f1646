/** Protects the storefront on PostgreSQL: the pages of SQLite, and what else is in the database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import { ask } from '../../testing/ask-in-test.ts';
import { findPostgres, type PostgresCluster, startPostgres } from '../../testing/postgres-cluster.ts';
import { seedPostgres } from './postgres.ts';
import { searchScenario } from './search-scenario.ts';
import { type StorefrontTarget, startStorefront } from './start-storefront.ts';

const binaries = findPostgres();
if (binaries === null) console.warn('No PostgreSQL is installed here: the shop is tested on SQLite only.');

// Without PostgreSQL there is nothing to test, and the line above says so.
describe.each(binaries === null ? [] : [binaries])('the shop on PostgreSQL in %s', (bin) => {
  const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
  let directory: string;
  let cluster: PostgresCluster;
  let shop: StorefrontTarget<Arm>;
  let shopOnSqlite: StorefrontTarget<Arm>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tls-toll-shop-pg-'));
    cluster = await startPostgres(bin);
    shop = await startStorefront({ directory, transports, databaseUrl: cluster.url });
    shopOnSqlite = await startStorefront({ directory, transports, databaseUrl: null });
  });
  afterAll(async () => {
    await shop?.stop();
    await shopOnSqlite?.stop();
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function rowsOf<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client(cluster.url);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  test('The four procedures are stored functions', async () => {
    const functions = await rowsOf<{ proname: string }>(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'tls_toll_storefront'::regnamespace ORDER BY proname`,
    );
    expect(functions.map(({ proname }) => proname)).toEqual([
      'product_text',
      'productcategorylist',
      'productsearch',
      'productsmostpopular',
      'reviewslatest',
    ]);
  });

  test('Both databases give the same pages, over both transports', async () => {
    const questions = [...searchScenario.steps, ...searchScenario.pages.map((path) => ({ path }))];
    for (const question of questions) {
      const onSqlite = await ask(shopOnSqlite.listeners.baseline, question);
      for (const listener of Object.values(shop.listeners)) {
        const onPostgres = await ask(listener, question);
        expect(onPostgres.status).toBe(200);
        expect(onPostgres.body.equals(onSqlite.body)).toBe(true);
      }
    }
  });

  test('A seeded database is left as it is', async () => {
    const oid = `SELECT oid FROM pg_namespace WHERE nspname = 'tls_toll_storefront'`;
    const before = await rowsOf(oid);
    await seedPostgres(cluster.url);
    expect(await rowsOf(oid)).toEqual(before);
  });

  test('A schema of another version is made anew, and what else is in the database stays', async () => {
    await rowsOf('CREATE TABLE public.other AS SELECT 42 AS answer');
    await rowsOf(`COMMENT ON SCHEMA tls_toll_storefront IS 'TLS Toll storefront, version 0'`);
    await rowsOf('DELETE FROM tls_toll_storefront.review');
    await seedPostgres(cluster.url);
    expect(await rowsOf('SELECT count(*)::int AS reviews FROM tls_toll_storefront.review')).toEqual([
      { reviews: 7200 },
    ]);
    expect(await rowsOf('SELECT answer FROM public.other')).toEqual([{ answer: 42 }]);
  });
});
