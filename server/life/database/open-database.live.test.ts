/** Protects how a database is opened, and that what is wrong with it is said as it is. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { findPostgres, startPostgres } from '../../testing/postgres-cluster.ts';
import { listBlocks, signal, storeBlock } from './events.ts';
import { type Claim, claimMeasurement, listUnfinished, readDocument, storeEnding } from './measurements.ts';
import { type Database, openDatabase } from './open-database.ts';
import type { Signal } from './tickets.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-database-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** With one measurement that goes on. */
async function openWithClaim(): Promise<{ database: Database; claim: Claim }> {
  const database = await openDatabase({ directory, url: null });
  const claim = await claimMeasurement(database, (await insertInTest(database)).id);
  if (claim === null) throw new Error('it cannot be claimed');
  return { database, claim };
}

/** Seventy pages, however well they are packed: more than the migrations have left free. */
const block = () => randomBytes(300_000).toString('base64');

test('the database file is for its owner only, and a commit waits for the disk', async () => {
  const database = await openDatabase({ directory: join(directory, 'deep', 'data'), url: null });
  const read = async (pragma: string) =>
    Object.values((await sql.raw<object>(`pragma ${pragma}`).execute(database.queries)).rows[0] ?? {})[0];
  expect(await read('journal_mode')).toBe('wal');
  expect(await read('synchronous')).toBe(2);
  expect(await read('foreign_keys')).toBe(1);
  expect(statSync(join(directory, 'deep', 'data')).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'deep', 'data', 'tls-toll.sqlite')).mode & 0o777).toBe(0o600);
  await database.close();
});

test('what was stored is there after opening again', async () => {
  const { database, claim } = await openWithClaim();
  const blocks = [block(), block()];
  for (const [index, each] of blocks.entries()) await storeBlock(database, claim, index, each);
  await database.close();
  const again = await openDatabase({ directory, url: null });
  expect(await listBlocks(again, claim.id)).toEqual(blocks);
  await again.close();
});

test('a full disk is said as such, the blocks before it are kept, and it goes on when there is room', async () => {
  const { database, claim } = await openWithClaim();
  const [first, second] = [block(), block()];
  await storeBlock(database, claim, 0, first);
  const limitPages = (count: number) => sql.raw(`pragma max_page_count = ${count}`).execute(database.queries);
  const { rows } = await sql<{
    pageCount: number;
  }>`select page_count as "pageCount" from pragma_page_count()`.execute(database.queries);
  await limitPages((rows[0]?.pageCount ?? 0) + 4);
  await expect(storeBlock(database, claim, 1, second)).rejects.toMatchObject({
    problem: { code: 'disk_full' },
  });
  expect(await listBlocks(database, claim.id)).toEqual([first]);
  await limitPages(1_000_000);
  await storeBlock(database, claim, 1, second);
  expect(await listBlocks(database, claim.id)).toEqual([first, second]);
  await database.close();
});

test('a data directory that is a file is refused by name', async () => {
  const path = join(directory, 'file');
  writeFileSync(path, '');
  await expect(openDatabase({ directory: path, url: null })).rejects.toMatchObject({
    problem: { code: 'data_directory_unusable', detail: expect.stringContaining(path) },
  });
  await expect(openDatabase({ directory: join(path, 'below'), url: null })).rejects.toMatchObject({
    problem: { code: 'data_directory_unusable' },
  });
});

test('a database file that is something else is damaged, and named', async () => {
  const path = join(directory, 'tls-toll.sqlite');
  writeFileSync(path, 'not a database, but long enough to have a header '.repeat(50));
  await expect(openDatabase({ directory, url: null })).rejects.toMatchObject({
    problem: { code: 'database_damaged', detail: `${path} is damaged.` },
  });
});

/** From the page with this number on, the file holds noise. */
function damage(page: number): void {
  const path = join(directory, 'tls-toll.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, (page - 1) * 4096, page * 4096));
}

test('a database that lost its schema is damaged, and said so at the start', async () => {
  await (await openWithClaim()).database.close();
  damage(2);
  await expect(openDatabase({ directory, url: null })).rejects.toMatchObject({
    problem: { code: 'database_damaged', detail: 'The database in the data directory is damaged.' },
  });
});

test('a database that lost a table is damaged, and said so by what reads it', async () => {
  const { database: before } = await openWithClaim();
  const { rows } = await sql<{
    rootpage: number;
  }>`select rootpage from sqlite_schema where name = 'measurements'`.execute(before.queries);
  await before.close();
  damage(rows[0]?.rootpage ?? 0);
  const database = await openDatabase({ directory, url: null });
  await expect(listUnfinished(database)).rejects.toMatchObject({ problem: { code: 'database_damaged' } });
  await database.close();
});

test('a stored text that cannot be unpacked is damage', async () => {
  const { database, claim } = await openWithClaim();
  const ending = { endedAt: 9, problem: null, summary: {}, schemaVersion: 1, text: '{}', figures: null };
  await storeEnding(database, claim, { state: 'finished', ...ending });
  await database.queries
    .updateTable('documents')
    .set({ body: Buffer.from('noise') })
    .execute();
  const document = await readDocument(database, claim.id);
  await expect(document?.unpack()).rejects.toMatchObject({
    problem: { code: 'database_damaged' },
  });
  await database.close();
});

test('a database file that is a directory is refused', async () => {
  mkdirSync(join(directory, 'tls-toll.sqlite'));
  await expect(openDatabase({ directory, url: null })).rejects.toMatchObject({
    problem: { code: 'data_directory_unusable' },
  });
});

test('a PostgreSQL that is not there is said as such, without the password', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const opened = openDatabase({ directory, url: `postgresql://toll:secret@127.0.0.1:${port}/runs` });
  await expect(opened).rejects.toMatchObject({
    problem: { code: 'database_unavailable', detail: expect.not.stringContaining('secret') },
  });
});

const postgres = findPostgres();

if (postgres !== null) {
  test('several processes share a PostgreSQL database, and one wakes the other when it commits', async () => {
    const cluster = await startPostgres(postgres);
    const [first, second] = await Promise.all([
      openDatabase({ directory, url: cluster.url }),
      openDatabase({ directory, url: cluster.url }),
    ]);
    const { promise, resolve } = Promise.withResolvers<Signal>();
    second.shared?.signals.listen((heard) => {
      if (heard.about === 'events') resolve(heard);
    });
    const repeat = setInterval(() => void signal(first, first.queries, { about: 'events', id: 'one' }), 100);
    expect(await promise).toEqual({ about: 'events', id: 'one' });
    clearInterval(repeat);
    await first.close();
    await second.close();
    await cluster.stop();
  });

  test('a PostgreSQL that stops between two queries of a connection is said as such, and ends nothing else', async () => {
    const cluster = await startPostgres(postgres);
    const database = await openDatabase({ directory, url: cluster.url });
    await database.queries.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection);
      await cluster.stop();
      await expect(sql`select 2`.execute(connection)).rejects.toMatchObject({
        problem: { code: 'database_unavailable' },
      });
    });
    await expect(listUnfinished(database)).rejects.toMatchObject({
      problem: { code: 'database_unavailable' },
    });
    await database.close();
  });
}
