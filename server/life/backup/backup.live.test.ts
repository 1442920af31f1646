/** Protects backups: one taken while a server writes restores every result, and an incomplete file changes nothing. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
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
import { signInSecret } from '../../edge/team/open-team.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import {
  createPostgresDatabase,
  type DatabaseInTest,
  engines,
  openDatabaseInTest,
} from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { mountSmallDisk } from '../../testing/small-disk.ts';
import { storeFinishedRun } from '../../testing/store-finished-run.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';
import { createPrivateFile, lockDataDirectory, lockFiles } from '../database/data-directory.ts';
import { findMeasurement } from '../database/measurements.ts';
import { migrations } from '../database/migrations.ts';
import { openDatabase } from '../database/open-database.ts';
import { addToAuditLog } from '../database/permitted-targets.ts';
import { backUp, restore } from './backup-and-restore.ts';
import { writeContainer } from './backup-file.ts';

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
    [
      'that is a text',
      (path) => writeFileSync(path, 'x'.repeat(5000)),
      'backup_unusable',
      'another program’s file',
    ],
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
      'with a trigger of its own',
      query('create trigger t after insert on files begin select 1; end'),
      'backup_unusable',
      'other tables than a backup',
    ],
    [
      'with a view that never ends in place of a table',
      query(
        'drop table about; create view about(text) as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n',
      ),
      'backup_unusable',
      'other tables than a backup',
    ],
    [
      'with another column',
      query('alter table about add column more text'),
      'backup_unusable',
      'other tables than a backup',
    ],
    [
      'with an odd date',
      query("update about set text = json_set(text, '$.createdAt', 8640000000000001)"),
      'backup_unusable',
      'its contents are malformed',
    ],
    [
      'with codes for a terminal as its version',
      query("update about set text = json_set(text, '$.version', char(27) || '[2J')"),
      'backup_unusable',
      'its contents are malformed',
    ],
    [
      'with an endless description',
      query("update about set text = json_set(text, '$.more', hex(zeroblob(1000000)))"),
      'backup_unusable',
      'its contents are malformed',
    ],
    [
      'with 1,001 files',
      query(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1001) insert into files select 'authority/' || i || '.key', '' from n",
      ),
      'backup_unusable',
      'its contents are malformed',
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

  /** A backup of this database. */
  function pack(inside: string): string {
    const path = join(directory, 'changed-inside.backup');
    rmSync(path, { force: true });
    createPrivateFile(path);
    const about = {
      ...{ version: '0', engine: 'SQLite' as const, createdAt: 0, results: 0 },
      migrations: Object.keys(migrations),
    };
    writeContainer(path, about, [{ name: 'database', path: inside }]);
    return path;
  }

  test('from a database inside that is damaged', async () => {
    const inside = join(directory, 'rotten');
    writeFileSync(inside, 'x'.repeat(5000));
    expect(await problemOf(pack(inside))).toMatchObject({ code: 'database_damaged' });
    expect(existsSync(into)).toBe(false);
  });

  test.each([
    ['a trigger', 'create trigger t before insert on audit_log begin select raise(abort, 1); end'],
    ['a view', 'create view v as select 1'],
    ['another table', 'create table t (a)'],
    ['another index', 'create index i on audit_log (at)'],
    ['a table less', 'drop table audit_log'],
    ['another column', 'alter table audit_log add column evil text'],
    [
      'a table with the statement of a trigger',
      `pragma writable_schema = on; insert into sqlite_schema values ('trigger', 't', 'audit_log', 0, 'create trigger t before insert on audit_log begin select raise(abort, 1); end')`,
    ],
  ])('from a database inside that has %s', async (_what, statement) => {
    const inside = join(directory, 'changed-inside');
    const source = new DatabaseSync(join(inTest.place.directory, 'tls-toll.sqlite'));
    source.exec(`vacuum into '${inside}'`);
    source.close();
    const changed = new DatabaseSync(inside, { enableForeignKeyConstraints: false });
    changed.enableDefensive?.(false);
    changed.exec(statement);
    changed.close();
    const path = pack(inside);
    rmSync(inside);
    expect(await problemOf(path)).toEqual({
      code: 'backup_unusable',
      detail: 'The database in the backup has other tables than TLS Toll makes.',
    });
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

test.each<[string, (data: string) => string]>([
  ['the database', (data) => join(data, 'tls-toll.sqlite')],
  ['a new file in the data directory', (data) => join(data, 'new.backup')],
  ['a new file in a directory in it', (data) => join(data, 'authority', 'new.backup')],
  [
    'a new file in the data directory by another name',
    (data) => {
      const link = join(directory, 'link');
      rmSync(link, { force: true });
      symlinkSync(data, link);
      return join(link, 'new.backup');
    },
  ],
  [
    'a text',
    () => {
      const path = join(directory, 'notes.txt');
      writeFileSync(path, 'Kept.');
      return path;
    },
  ],
  [
    'another SQLite database',
    () => {
      const path = join(directory, 'other.sqlite');
      const other = new DatabaseSync(path);
      other.exec('create table if not exists t (a)');
      other.close();
      return path;
    },
  ],
  ['a directory', () => directory],
  ['a device', () => '/dev/null'],
  [
    'a link to the database',
    (data) => {
      const link = join(directory, 'database-link');
      rmSync(link, { force: true });
      symlinkSync(join(data, 'tls-toll.sqlite'), link);
      return link;
    },
  ],
])('a backup does not replace %s', async (_what, target) => {
  const path = target(inTest.place.directory);
  const before = lstatSync(path, { throwIfNoEntry: false });
  await expect(backUp(inTest.place, path, '0.1.0')).rejects.toMatchObject({
    problem: { code: 'file_unwritable', detail: expect.stringMatching(/elsewhere/) },
  });
  expect(lstatSync(path, { throwIfNoEntry: false })?.ino).toBe(before?.ino);
});

test('a backup replaces an earlier one, and an empty file', async () => {
  const path = join(directory, 'again.backup');
  writeFileSync(path, '');
  await backUp(inTest.place, path, '0.1.0');
  await backUp(inTest.place, path, '0.1.1');
  expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  rmSync(path);
});

describe('on a full disk', () => {
  const disk = mountSmallDisk(2);
  afterAll(() => disk?.unmount());

  test.skipIf(disk === null)('a backup names its directory, and a restore its own', async () => {
    if (disk === null) return;
    const { directory: small, fill, clear } = disk;
    fill();
    const full = { problem: { code: 'disk_full', detail: `There is no space left in ${small}.` } };
    await expect(backUp(inTest.place, join(small, 'x.backup'), '0.1.0')).rejects.toMatchObject(full);
    clear();
    await backUp(inTest.place, file, '0.1.0');
    const target = join(small, 'restored');
    mkdirSync(target);
    fill();
    const restored = restore(file, { directory: target, url: null });
    await expect(restored).rejects.toMatchObject({ problem: { code: 'disk_full' } });
    await expect(restored).rejects.toThrow(small);
    clear();
    expect(readdirSync(target).filter((name) => !lockFiles.includes(name))).toEqual([]);
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
      await backUp({ directory: into, url: secret }, join(directory, 'of-postgres'), '0.1.0');
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
