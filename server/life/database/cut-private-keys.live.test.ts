/** Protects private keys that were stored before they were refused: the next start cuts them out, once, and leaves no byte of them. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { declaredViews } from '../../../shared/results/history.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';
import type { Column } from './columns.ts';
import { firstTables } from './first-tables.ts';
import { findMeasurement } from './measurements.ts';
import { type Database, openDatabase } from './open-database.ts';
import { packText, unpackText } from './packed-text.ts';

const key = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  ...{ type: 'pkcs8', format: 'pem' },
}) as string;
const [, needle = ''] = key.split('\n');
const isHeld = (text: string) => text.includes(needle) || text.includes(needle.toLowerCase());

const figures = declaredViews.map(({ table, columns }) => {
  const own = Object.fromEntries(columns.map(({ name, type }) => [name, { type }]));
  return [table, { measurementId: { type: 'text' }, place: { type: 'integer' }, ...own }] as const;
});
const tables = [
  ...Object.entries<Record<string, Pick<Column<unknown>, 'type'> | { type: string }>>(firstTables),
  ...figures,
].filter(([table]) => table !== 'auditLog');

/** A row in every table with the key in every text, but for IDs. Returns how many texts there are. */
async function plant({ queries }: Database): Promise<number> {
  let count = 0;
  for (const [table, columns] of tables) {
    const values = [];
    for (const [name, { type }] of Object.entries(columns)) {
      const isId = name === 'id' || /Id$/.test(name);
      if (!isId && (type === 'text' || type === 'bytea')) count += 1;
      const text = isId
        ? 'x'.repeat(22)
        : `${table} ${name} ${name === 'searchText' ? key.toLowerCase() : key}`;
      values.push(
        type === 'text' ? text : type === 'bytea' ? await packText(text) : type === 'time' ? 'now' : 1,
      );
    }
    const names = Object.keys(columns).map((name) => sql.ref(name));
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
      queries,
    );
  }
  return count;
}

/** Makes the database look like one that the migration has not reached. */
async function forget({ queries }: Database): Promise<void> {
  await sql`delete from kysely_migration where name = '02-keyless'`.execute(queries);
}

/** All that its tables hold. */
async function textsIn({ queries }: Database): Promise<string[]> {
  const texts = [];
  for (const [table] of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(queries);
    for (const value of rows.flatMap((row) => Object.values(row)))
      texts.push(value instanceof Uint8Array ? await unpackText(value) : String(value));
  }
  return texts;
}

/** PostgreSQL's files of the tables, byte by byte. */
async function filesOf({ queries }: Database): Promise<string[]> {
  await sql`checkpoint`.execute(queries);
  const { rows } = await sql<{ path: string }>`
    select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path
    from pg_class where relkind in ('r', 't', 'i') and relnamespace <> 'pg_catalog'::regnamespace`.execute(
    queries,
  );
  return rows.map(({ path }) => readFileSync(path, 'latin1'));
}

async function bytesOf({ place }: DatabaseInTest, opened: Database): Promise<string[]> {
  if (place.url !== null) return filesOf(opened);
  return textsOfData(place.directory).map(({ text }) => text);
}

describe.each(engines)('a key in %s', (engine) => {
  test('is cut out of every text, and out of the files, and the log is told how many', async () => {
    const inTest = await openDatabaseInTest(engine);
    expect(inTest.database.notice).toBeNull();
    const planted = await plant(inTest.database);
    await forget(inTest.database);
    expect((await textsIn(inTest.database)).filter(isHeld)).toHaveLength(planted);
    expect((await bytesOf(inTest, inTest.database)).some(isHeld)).toBe(true);
    if (engine === 'SQLite') await inTest.database.close();

    const again = await openDatabase(inTest.place);
    expect(again.notice).toContain(`Private keys were cut out of ${planted} stored texts.`);
    const texts = await textsIn(again);
    expect(texts.filter(isHeld)).toEqual([]);
    expect(texts).toContain('documents body \n');
    expect((await bytesOf(inTest, again)).filter(isHeld)).toEqual([]);
    await again.close();
    const third = await openDatabase(inTest.place);
    expect(third.notice).toBeNull();
    await third.close();
    await inTest.close();
  });

  test('in the file of a certificate leaves the request as it was otherwise', async () => {
    const inTest = await openDatabaseInTest(engine);
    const target = { kind: 'origins', ca: key + sampleCertificate, http: 'http://127.0.0.1:1' };
    const { id } = await insertInTest(inTest.database, { request: { target, seed: 1 } });
    await forget(inTest.database);
    const again = await openDatabase(inTest.place);
    expect(again.notice).toContain('cut out of one stored text.');
    const { request } = (await findMeasurement(again, id)) ?? {};
    expect(request).toEqual({ target: { ...target, ca: `\n${sampleCertificate}` }, seed: 1 });
    await again.close();
    await inTest.close();
  });
});

test('SQLite forgets keys of what was deleted before', async () => {
  const inTest = await openDatabaseInTest();
  const { id } = await insertInTest(inTest.database, { request: { key } });
  await inTest.database.queries.deleteFrom('measurements').where('id', '=', id).execute();
  await forget(inTest.database);
  await inTest.database.close();
  const held = () => textsOfData(inTest.place.directory).some(({ text }) => isHeld(text));
  expect(held()).toBe(true);
  const again = await openDatabase(inTest.place);
  expect(again.notice).toBeNull();
  expect(held()).toBe(false);
  await again.close();
  await inTest.close();
});
