/** Protects what is measured from a database file that is moved away, written over, or loses its log while the server runs. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isMeasuring, type LabInTest, openLab, startLabServer } from '../../testing/lab-in-test.ts';
import { endPrograms } from '../../testing/program-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-moved-'));
const files = ['tls-toll.sqlite', 'tls-toll.sqlite-wal', 'tls-toll.sqlite-shm'];
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

function move(from: string, to: string): void {
  for (const name of files) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name));
}

const askSql = ({ ask, url }: Pick<LabInTest, 'ask' | 'url'>) =>
  ask('POST', '/api/v1/sql', { Origin: url }, { sql: 'select count(*) as n from v_servers' });

test('a file that is moved away stalls measurements, and takes what they kept when it is put back', async () => {
  const data = join(directory, 'moved');
  const away = join(directory, 'away');
  mkdirSync(away);
  const lab = await startLabServer({ TLS_TOLL_DATA: data });
  const { body: first } = await lab.createLong();
  const viewer = lab.watch(first.id);
  await viewer.until(isMeasuring);
  move(data, away);
  expect(await lab.create(50)).toMatchObject({ status: 503, body: { code: 'database_gone' } });
  expect(await askSql(lab)).toMatchObject({ status: 503, body: { code: 'database_gone' } });
  const { detail } = await viewer.until(({ type }) => type === 'stalled');
  expect(detail).toMatch(/tls-toll\.sqlite was moved, deleted, or replaced/);
  expect((await lab.cancel(first.id)).status).toBe(202);
  const ended = await untilAsync(
    () => lab.read(first.id),
    ({ body }) => body.state !== 'running',
  );
  expect((await lab.health()).body).toMatchObject({ running: first.id });
  expect(existsSync(join(data, 'tls-toll.sqlite'))).toBe(false);

  move(away, data);
  expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'incomplete' });
  const { body: second } = await lab.create(20);
  await lab.watch(second.id).until(({ type }) => type === 'end');
  lab.program.kill('SIGKILL');
  await lab.program.ended;

  const next = await openLab(data);
  expect((await next.read(first.id)).body).toEqual(ended.body);
  expect((await next.read(second.id)).body).toMatchObject({ state: 'finished' });
  expect((await askSql(next)).status).toBe(200);
  await next.close();
});

test('nothing is said to be stored in a file that was replaced, or written over in place', async () => {
  await (await openLab(join(directory, 'other'))).close();

  const data = join(directory, 'replaced');
  const lab = await startLabServer({ TLS_TOLL_DATA: data });
  const own = join(directory, 'own');
  mkdirSync(own);
  renameSync(join(data, 'tls-toll.sqlite'), join(own, 'tls-toll.sqlite'));
  writeFileSync(join(data, 'tls-toll.sqlite'), '');
  expect(await lab.create(20)).toMatchObject({ status: 503, body: { code: 'database_gone' } });
  renameSync(join(own, 'tls-toll.sqlite'), join(data, 'tls-toll.sqlite'));
  expect((await lab.create(20)).status).toBe(201);

  const { body } = await lab.create(20);
  await lab.watch(body.id).until(({ type }) => type === 'end');
  writeFileSync(join(data, 'tls-toll.sqlite'), '{}');
  expect(await lab.create(20)).toMatchObject({
    status: 503,
    body: { code: 'database_gone', detail: expect.stringMatching(/was overwritten/) },
  });
  cpSync(join(directory, 'other', 'tls-toll.sqlite'), join(data, 'tls-toll.sqlite'));
  expect(await lab.create(20)).toMatchObject({ status: 503, body: { code: 'database_gone' } });
});

test('a log that is deleted loses nothing, before and after', async () => {
  const data = join(directory, 'log');
  const lab = await startLabServer({ TLS_TOLL_DATA: data });
  const before = (await lab.create(20)).body;
  await lab.watch(before.id).until(({ type }) => type === 'end');
  for (const name of files.slice(1)) rmSync(join(data, name));
  const { body: after } = await untilAsync(
    () => lab.create(20),
    ({ status }) => status === 201,
  );
  await lab.watch(after.id).until(({ type }) => type === 'end');
  lab.program.kill('SIGKILL');
  await lab.program.ended;

  const next = await openLab(data);
  for (const { id } of [before, after]) {
    expect((await next.read(id)).body).toMatchObject({ state: 'finished' });
  }
  await next.close();
});
