/** Protects backups: one taken while a server writes restores every result, and an incomplete file changes nothing. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { signInSecret } from '../../edge/team/sign-in-secret.ts';
import { openAuthority } from '../../targets/certificate-authority.ts';
import {
  createPostgresDatabase,
  type DatabaseInTest,
  engines,
  openDatabaseInTest,
} from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';
import { addToAuditLog } from '../database/audit-log.ts';
import { createPrivateFile, lockDataDirectory } from '../database/data-directory.ts';
import { findMeasurement } from '../database/measurements.ts';
import { openDatabase } from '../database/open-database.ts';
import { backUp } from './back-up.ts';
import { writeContainer } from './container.ts';
import { restore } from './restore.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-backup-'));
const file = join(directory, 'tls-toll.backup');
const into = join(directory, 'restored');
afterEach(() => rmSync(into, { recursive: true, force: true }));
afterAll(() => rmSync(directory, { recursive: true }));

const run = { ...sampleRun({ launches: 2, epochs: 1 }), id: 'Stored1x'.padEnd(22, '0') };
const asker = { who: 'ann', userId: null, key: null, from: null };
const event = { what: 'createRun', subject: null, host: null, note: null };

let inTest: DatabaseInTest;
beforeAll(async () => {
  inTest = await openDatabaseInTest();
  await storeFinishedRun(inTest.database, run);
  await openAuthority(join(inTest.place.directory, 'authority'));
  signInSecret(inTest.place.directory);
});
afterAll(() => inTest.close());

/** Resolves to how many rows were written until then. */
async function writeUntil(done: Promise<unknown>): Promise<number> {
  let over = false;
  void done.finally(() => {
    over = true;
  });
  let rows = 0;
  while (!over) {
    const id = String(++rows).padStart(22, '0');
    await addToAuditLog(inTest.database, { id, at: rows, ...asker, ...event });
    await new Promise(setImmediate);
  }
  return rows;
}

test('a backup taken while a server writes restores the same results, is readable by its owner only, and lacks the key of sessions', async () => {
  const taken = backUp(inTest.place, file, '0.1.0');
  const written = await writeUntil(taken);
  expect(written).toBeGreaterThan(0);
  expect(await taken).toMatchObject({ results: 1, engine: 'SQLite' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['tls-toll.backup']);
  expect(await restore(file, { directory: into, url: null })).toMatchObject({ results: 1, version: '0.1.0' });

  const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(into.length + 1));
  expect(names.toSorted()).toEqual([
    ...['ca.key', 'ca.pem', 'server.key', 'server.pem'].map((name) => `authority/${name}`),
    'lock.sqlite',
    'server.json',
    'tls-toll.sqlite',
  ]);
  for (const name of names) expect(statSync(join(into, name)).mode & 0o077, name).toBe(0);
  const key = join('authority', 'ca.key');
  expect(readFileSync(join(into, key)).equals(readFileSync(join(inTest.place.directory, key)))).toBe(true);
  const server = await openServerInTest(into);
  const { id, blocks } = await server.document(run.id);
  expect({ id, blocks }).toEqual({ id: run.id, blocks: run.blocks });
  await server.close();
});

describe('nothing is restored', () => {
  beforeAll(async () => {
    if (!existsSync(file)) await backUp(inTest.place, file, '0.1.0');
  });

  async function problemOf(path: string, url: string | null = null) {
    const error = await restore(path, { directory: into, url }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProblemError)) throw error;
    return { code: error.problem.code, detail: error.problem.detail };
  }

  /** A changed copy. */
  function copy(name: string, change: (path: string) => void): string {
    const path = join(directory, name);
    writeFileSync(path, readFileSync(file));
    change(path);
    return path;
  }
  const query = (sql: string) => (path: string) => {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  };

  test.each<[string, (path: string) => void, string, string]>([
    ['that is cut off', (path) => truncateSync(path, 100_000), 'backup_unusable', 'cannot be restored'],
    ['that is empty', (path) => truncateSync(path, 0), 'backup_unusable', 'another program’s file'],
    ['that is a text', (path) => writeFileSync(path, 'x'.repeat(5000)), 'backup_unusable', 'not a database'],
    [
      'with a changed byte',
      query("update pieces set bytes = zeroblob(9) where name = 'database'"),
      'backup_unusable',
      'database in it is damaged',
    ],
    [
      'without its database',
      query("delete from files where name = 'database'"),
      'backup_unusable',
      'it contains no database',
    ],
    [
      'with a path out of the directory',
      query("update files set name = '../evil' where name = 'authority/ca.key'"),
      'backup_unusable',
      'its contents are malformed',
    ],
    [
      'of a later format',
      query("update about set text = json_set(text, '$.format', 2)"),
      'backup_newer',
      'its format is newer',
    ],
    [
      'with a later database',
      query("update about set text = json_set(text, '$.migrations[0]', 'z99-later')"),
      'backup_newer',
      'its database has the migration z99-later',
    ],
  ])('from a file %s', async (_what, change, code, detail) => {
    const refused = await problemOf(copy('changed.backup', change));
    expect(refused).toEqual({ code, detail: expect.stringContaining(detail) });
    expect(existsSync(into)).toBe(false);
  });

  test('from a database inside that is damaged', async () => {
    const path = join(directory, 'rotten.backup');
    const inside = join(directory, 'rotten');
    writeFileSync(inside, 'x'.repeat(5000));
    rmSync(path, { force: true });
    createPrivateFile(path);
    const about = { version: '0', engine: 'SQLite' as const, createdAt: 0, migrations: [], results: 0 };
    writeContainer(path, about, [{ name: 'database', path: inside }]);
    expect(await problemOf(path)).toMatchObject({ code: 'database_damaged' });
    expect(existsSync(into)).toBe(false);
  });

  test('over what is there, and into another kind of database', async () => {
    expect(await problemOf(file, 'postgres://127.0.0.1/none')).toMatchObject({ code: 'backup_misfit' });
    const full = await restore(file, inTest.place).catch((error: unknown) => error);
    expect(full).toMatchObject({ problem: { code: 'directory_not_empty' } });
  });

  test('into a directory where a server starts or another restore is under way', async () => {
    const lock = lockDataDirectory(into);
    const before = readdirSync(into);
    expect(await problemOf(file)).toMatchObject({ code: 'data_directory_in_use' });
    expect(readdirSync(into)).toEqual(before);
    lock.release();
    await restore(file, { directory: into, url: null });
  });

  test('from a directory without a database, or into a missing directory', async () => {
    const nowhere = { directory: join(directory, 'none'), url: null };
    await expect(backUp(nowhere, join(directory, 'x'), '0')).rejects.toMatchObject({
      problem: { code: 'backup_missing' },
    });
    await expect(backUp(inTest.place, join(directory, 'none', 'x'), '0')).rejects.toMatchObject({
      problem: { code: 'file_unwritable' },
    });
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

test.each(engines)('a private key that a backup of %s holds is cut out as it is restored', async (engine) => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const key = `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`;
  const before = await openDatabaseInTest(engine);
  const { id } = await insertInTest(before.database, { request: { ca: key + sampleCertificate } });
  await sql`delete from kysely_migration where name = '02-keyless'`.execute(before.database.queries);
  const path = join(directory, `with-key-${engine}`);
  await backUp(before.place, path, '0.1.0');
  await before.close();

  const place = { directory: into, url: engine === 'SQLite' ? null : await createPostgresDatabase() };
  const { notice } = await restore(path, place);
  expect(notice).toContain('Private keys were cut out of one stored text.');
  expect(textsOfData(into).filter(({ text }) => text.includes(line))).toEqual([]);
  const after = await openDatabase(place);
  expect(after.notice).toBeNull();
  expect((await findMeasurement(after, id))?.request).toEqual({ ca: `\n${sampleCertificate}` });
  await after.close();
});

describe.runIf(engines.includes('PostgreSQL'))('with PostgreSQL', () => {
  test('no password stands on a command line, and the file that holds one is gone', async () => {
    const url = await createPostgresDatabase();
    const opened = await openDatabase({ directory, url });
    await opened.close();
    const seen = join(directory, 'seen');
    const programs = join(directory, 'programs');
    mkdirSync(programs);
    const real = spawnSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).stdout.trim();
    const witness = `#!/bin/sh\nprintf '%s\\n' "$*" > ${seen}\nstat -c %a "$PGSERVICEFILE" >> ${seen}\ncat "$PGSERVICEFILE" >> ${seen}\necho "$PGSERVICEFILE" >> ${seen}\nexec ${real} "$@"\n`;
    writeFileSync(join(programs, 'pg_dump'), witness, { mode: 0o755 });
    const { PATH } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    try {
      const secret = `${url.replace('toll@', 'toll:canary-one@')}&sslpassword=canary-two`;
      await backUp({ directory, url: secret }, join(directory, 'of-postgres'), '0.1.0');
    } finally {
      process.env.PATH = PATH;
    }
    const [command, mode, ...service] = readFileSync(seen, 'utf8').trimEnd().split('\n');
    expect(command).toMatch(/^--dbname=postgres.*service=tls_toll/);
    expect(command).not.toContain('canary');
    expect([mode, ...service.slice(0, 2)]).toEqual(['600', '[tls_toll]', 'sslpassword=canary-two']);
    expect(existsSync(service[2] ?? '')).toBe(false);
  });

  test('a backup goes into another database, once', async () => {
    const first = await openDatabaseInTest('PostgreSQL');
    await storeFinishedRun(first.database, run);
    const dump = join(directory, 'postgres.backup');
    expect(await backUp(first.place, dump, '0.1.0')).toMatchObject({ results: 1, engine: 'PostgreSQL' });
    const place = { directory: into, url: await createPostgresDatabase() };
    await restore(dump, place);
    expect(existsSync(join(into, 'tls-toll.sqlite'))).toBe(false);
    await expect(restore(dump, place)).rejects.toMatchObject({ problem: { code: 'database_not_empty' } });
    const second = await openDatabase(place);
    const query = (each: typeof second) => each.queries.selectFrom('documents').selectAll().execute();
    expect(await query(second)).toEqual(await query(first.database));
    await second.close();
    await first.close();
  });
});
