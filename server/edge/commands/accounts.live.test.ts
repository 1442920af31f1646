/** Protects API keys on the command line: a key made on the server's machine works from another machine and is stored nowhere. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { runCommandInTest as run } from '../../testing/command-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';
import { withTeamAlone } from '../team/team-alone.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-keys-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'tls-toll-keys-'));
afterEach(endPrograms);
afterAll(() => {
  for (const each of [directory, elsewhere]) rmSync(each, { recursive: true });
});

test('a key works from another machine until it is removed', async () => {
  const email = 'anna@example.com';
  await withTeamAlone({ directory, url: null }, ({ users }) => addUser(users, { email, role: 'admin' }));
  const server = startProgram('server/edge/main.ts', [], {
    ...{ PORT: '0', TLS_TOLL_DATA: directory, TLS_TOLL_SIGN_IN: 'on', LOG_LEVEL: 'debug' },
  });
  const [, url = ''] = await server.prints(/listens on (\S+)/);
  const here = { TLS_TOLL_DATA: directory };
  const made = await run(['keys', 'add', 'nightly', '--user', email, '--no-expiry'], here);
  expect(made.stdout).toContain('“nightly” acts for anna@example.com as operator and does not expire');
  const [key = ''] = /tt_[\w-]{43}/.exec(made.stdout) ?? [];
  const there = { TLS_TOLL_DATA: elsewhere, TLS_TOLL_SERVER: url, TLS_TOLL_KEY: key };
  expect(await run(['schedules'], there)).toMatchObject({ code: 0, stderr: '' });
  const listed = await run(['keys', 'list'], here);
  const [, id = ''] = /^(\w{22}) +nightly +anna@example.com +operator +never +20/m.exec(listed.stdout) ?? [];
  expect((await run(['keys', 'remove', id], here)).code).toBe(0);
  const refused = await run(['schedules'], there);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('“nightly” was deleted on') });

  server.kill('SIGINT');
  await server.ended;
  expect(server.stdout()).toContain('/api/v1/schedules');
  const texts = [...textsOfData(directory), ...textsOfData(elsewhere)].map(({ text }) => text);
  expect([...texts, server.stdout(), server.stderr()].filter((text) => text.includes(key.slice(3)))).toEqual(
    [],
  );

  const gone = await run(['schedules'], there);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining(`${url} does not answer`) });
});
