import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';
import { findPostgres, startPostgres } from './postgres-cluster.ts';

/** What becomes of connections when a PostgreSQL ends. */

const bin = findPostgres();

test.skipIf(bin === null)(
  'a PostgreSQL that ends in the middle of a transaction fails that, and nothing else',
  async () => {
    const cluster = await startPostgres(bin ?? '');
    const { queries, close } = await openDatabase({ directory: tmpdir(), url: cluster.url });
    const one = sql<{ one: number }>`select 1 as one`;
    const transaction = queries.transaction().execute(async (transaction) => {
      await one.execute(transaction);
      await cluster.stop();
      // An error of a connection that waits for nothing is nobody's to catch, and ends the process.
      await pause(100);
      await one.execute(transaction);
    });
    await expect(transaction).rejects.toMatchObject({ problem: { code: 'database_unavailable' } });
    await expect(one.execute(queries)).rejects.toMatchObject({ problem: { code: 'database_unavailable' } });
    await close();
  },
);
