import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runRequestSchema } from '../../shared/run.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { appendBlock, listBlocks } from './blocks.ts';
import { readDocument, storeDocument } from './documents.ts';
import { type Database, openDatabase } from './open-database.ts';
import { insertRun, listUnfinishedRuns } from './runs.ts';

const sample = sampleRun({ blocksPerPoint: 6 });
const id = sample.id;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-database-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openWithRun() {
  const database = await openDatabase({ directory, url: null });
  await insertRun(database, {
    id,
    createdAt: 1,
    request: runRequestSchema.parse({}),
    scenario: sample.scenario,
    plan: sample.plan,
    deleteTokenHash: 'hash',
    idempotencyKey: null,
    requestHash: 'hash',
  });
  return database;
}

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
  const database = await openWithRun();
  for (const block of sample.blocks) await appendBlock(database, id, block);
  await database.close();
  const again = await openDatabase({ directory, url: null });
  expect(await listBlocks(again, id)).toStrictEqual(sample.blocks);
  await again.close();
});

test('a full disk is said as such, and the blocks before it are kept', async () => {
  const database = await openWithRun();
  const [first, ...others] = sample.blocks;
  if (first === undefined) throw new Error('no block');
  await appendBlock(database, id, first);
  await leavePages(database, 4);
  const fill = async () => {
    for (const block of others) await appendBlock(database, id, block);
  };
  await expect(fill()).rejects.toMatchObject({ problem: { code: 'disk_full' } });
  expect((await listBlocks(database, id))[0]).toStrictEqual(first);
  await database.close();
});

test('a full disk is said as such in a transaction as well, which leaves nothing behind', async () => {
  const database = await openWithRun();
  await leavePages(database, 4);
  const body = Buffer.alloc(4096);
  const fill = () =>
    database.queries.transaction().execute(async (transaction) => {
      for (let blockIndex = 0; blockIndex < 100; blockIndex++) {
        await transaction.insertInto('blocks').values({ runId: id, blockIndex, body }).execute();
      }
    });
  await expect(fill()).rejects.toMatchObject({ problem: { code: 'disk_full' } });
  await expect(fill()).rejects.toMatchObject({ problem: { code: 'disk_full' } });
  expect(await database.queries.selectFrom('blocks').selectAll().execute()).toEqual([]);
  await database.close();
});

/** The file may grow by so many pages, as on a disk that is nearly full. */
async function leavePages({ queries }: Database, pages: number): Promise<void> {
  const { rows } = await sql<{
    pageCount: number;
  }>`select page_count as "pageCount" from pragma_page_count()`.execute(queries);
  await sql.raw(`pragma max_page_count = ${(rows[0]?.pageCount ?? 0) + pages}`).execute(queries);
}

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
    problem: { code: 'database_damaged', detail: `${path} is damaged: file is not a database.` },
  });
});

/** From the page with this number on, the file holds noise. */
function damageFrom(page: number): void {
  const path = join(directory, 'tls-toll.sqlite');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, (page - 1) * 4096));
}

test('a database that lost its schema is damaged, and said so at the start', async () => {
  await (await openWithRun()).close();
  damageFrom(2);
  await expect(openDatabase({ directory, url: null })).rejects.toMatchObject({
    problem: { code: 'database_damaged', detail: expect.stringContaining('malformed') },
  });
});

test('a database that lost a table is damaged, and said so by what reads it', async () => {
  const before = await openWithRun();
  const { rows } = await sql<{
    rootpage: number;
  }>`select rootpage from sqlite_schema where name = 'runs'`.execute(before.queries);
  await before.close();
  damageFrom(rows[0]?.rootpage ?? 0);
  const database = await openDatabase({ directory, url: null });
  await expect(listUnfinishedRuns(database)).rejects.toMatchObject({ problem: { code: 'database_damaged' } });
  await database.close();
});

test('a stored text that cannot be unpacked is damage', async () => {
  const database = await openWithRun();
  await storeDocument(database, 'documents', id, 3, '{}');
  await database.queries
    .updateTable('documents')
    .set({ body: Buffer.from('noise') })
    .execute();
  await expect(readDocument(database, 'documents', id)).rejects.toMatchObject({
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

test('a database that a newer version has used is refused', async () => {
  const database = await openDatabase({ directory, url: null });
  await database.queries.insertInto('migrations').values({ version: 1000, appliedAt: 1 }).execute();
  await database.close();
  await expect(openDatabase({ directory, url: null })).rejects.toMatchObject({
    problem: { code: 'data_directory_unusable', detail: expect.stringContaining('newer version') },
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
