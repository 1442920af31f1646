/** Protects the start of the server: what keeps it from starting is a line with what to try. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { authority, issue } from '../../testing/preflight-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';
import { readConfig } from '../settings/config.ts';
import { withTeamAlone } from '../team/team-alone.ts';
import { type RunningServer, startServer } from './start-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-start-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

const data = (name: string) => join(directory, name);
const occupied = data('a-file');
writeFileSync(occupied, '');

/** Expects a server to fail at its start and to print the fact and what to try. */
async function expectProblem(environment: NodeJS.ProcessEnv, fact: RegExp): Promise<string> {
  const rejection = await start({ TLS_TOLL_DATA: data('refused'), ...environment }).then(
    ({ close }) => close(),
    (error: unknown) => error,
  );
  if (!(rejection instanceof ProblemError)) throw new Error('it was not refused', { cause: rejection });
  const { detail, advice } = rejection.problem;
  expect(detail).toMatch(fact);
  return advice;
}

/** Starts a server like `main.ts`, but in this process. */
async function start(environment: NodeJS.ProcessEnv): Promise<RunningServer> {
  return startServer(readConfig({ PORT: '0', ...environment }));
}

test('a server prints where it listens, answers there, and exits 0 when told to stop', async () => {
  const program = startProgram('server/edge/main.ts', [], { PORT: '0', TLS_TOLL_DATA: data('plain') });
  const [, url = ''] = await program.prints(/^TLS Toll listens on (http:\/\/127\.0\.0\.1:\d+)\n/);
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
  program.kill('SIGINT');
  expect(await program.ended).toBe(0);
  expect(program.stderr()).toBe('');
});

test('a second server on the same data directory names the first one, which goes on, in two lines, and exits 1', async () => {
  const shared = { PORT: '0', TLS_TOLL_DATA: data('shared') };
  const first = await start(shared);
  const second = startProgram('server/edge/main.ts', [], shared);
  expect(await second.ended).toBe(1);
  const lines = second.stderr().trimEnd().split('\n');
  const uses = new RegExp(`^Another server \\(process ${process.pid} at ${first.url}\\) uses .*shared`);
  expect(lines[0]).toMatch(uses);
  expect(lines).toHaveLength(2);
  expect(second.stdout()).toBe('');
  expect((await fetch(`${first.url}/api/v1/health`)).status).toBe(200);
  await first.close();
});

test('a data directory that is free again after a server was killed is taken over', async () => {
  const same = { PORT: '0', TLS_TOLL_DATA: data('killed') };
  const first = startProgram('server/edge/main.ts', [], same);
  await first.prints(/listens on/);
  first.kill('SIGKILL');
  await first.ended;
  await (await start(same)).close();
});

test('a busy port is named, and the data directory is free again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expectProblem({ PORT: String(port) }, new RegExp(`127\\.0\\.0\\.1:${port} is in use`));
  other.close();
  await (await start({ TLS_TOLL_DATA: data('refused') })).close();
});

test.each([
  ['below a file', join(occupied, 'data')],
  ['that is a file', occupied],
  ['that the system does not let be made', '/proc/tls-toll'],
])('a data directory %s is named', async (_what, path) => {
  await expectProblem({ TLS_TOLL_DATA: path }, new RegExp(path));
});

test('a damaged database is named, with what to do', async () => {
  const directory = data('damaged');
  mkdirSync(directory);
  writeFileSync(join(directory, 'tls-toll.sqlite'), 'noise '.repeat(1000));
  const advice = await expectProblem({ TLS_TOLL_DATA: directory }, /damaged\/tls-toll\.sqlite is damaged\.$/);
  expect(advice).toContain('.recover');
});

test.each([
  ['PORT', '65536'],
  ['DATABASE_URL', 'mysql://localhost/runs'],
])('%s=%j is refused by name', async (name, value) => {
  await expectProblem({ [name]: value }, new RegExp(`\\b${name}\\b`));
});

test('a HOST that others reach is refused without sign-in, with the two commands that set it up', async () => {
  const advice = await expectProblem(
    { HOST: '0.0.0.0' },
    /^Others can reach 0\.0\.0\.0, and sign-in is off\.$/,
  );
  expect(advice).toContain('npx tls-toll users add anna@example.com --role admin');
  expect(advice).toContain('TLS_TOLL_SIGN_IN=on HOST=0.0.0.0 TLS_CERT=');
});

test('sign-in without an admin is refused; the command line adds one, before and while the server runs', async () => {
  const team = {
    TLS_TOLL_DATA: data('team'),
    TLS_TOLL_SIGN_IN: 'on',
    HOST: '0.0.0.0',
    PORT: '0',
    TLS_TOLL_PLAIN: 'allowed',
  };
  await expectProblem(team, /^Sign-in is on, but this server has no admin yet\.$/);
  const users = (...args: string[]) => runCommandInTest(['users', ...args], team);
  const added = await users('add', 'Anna@Example.com', '--role', 'admin');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toMatch(/^anna@example\.com is admin now .*\n([a-z2-9]{4}-){4}[a-z2-9]{4}\n$/);

  const server = startProgram('server/edge/main.ts', [], team);
  const [, url = ''] = await server.prints(/listens on (\S+)/);
  expect((await fetch(`${url}/api/v1/limits`)).status).toBe(401);
  expect((await users('add', 'ben@example.com')).code).toBe(0);
  expect((await users('list')).stdout).toBe('admin     anna@example.com\nreader    ben@example.com\n');
  expect(await users('remove', 'anna@example.com')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('only admin'),
  });
  expect(server.stderr()).toContain('unencrypted');
  expect(statSync(join(team.TLS_TOLL_DATA, 'server.json')).mode & 0o777).toBe(0o600);
  expect(statSync(join(team.TLS_TOLL_DATA, 'sign-in.secret')).mode & 0o777).toBe(0o600);
});

test('with a certificate, others get HTTPS and secure cookies, and the command line still reaches the server', async () => {
  const identity = await issue('localhost');
  const [cert, key] = [data('cert.pem'), data('key.pem')];
  writeFileSync(cert, identity.cert);
  writeFileSync(key, identity.key);
  const team = {
    ...{ TLS_TOLL_DATA: data('tls'), TLS_TOLL_SIGN_IN: 'on', HOST: 'localhost', PORT: '0' },
    ...{ TLS_CERT: cert, TLS_KEY: key },
  };
  const email = 'anna@example.com';
  const { password } = await withTeamAlone({ directory: team.TLS_TOLL_DATA, url: null }, ({ users }) =>
    addUser(users, { email, role: 'admin' }),
  );
  const server = startProgram('server/edge/main.ts', [], team);
  const [, url = ''] = await server.prints(/listens on (\S+)/);
  expect(url).toMatch(/^https:\/\/localhost:/);
  const body = JSON.stringify({ email, password });
  const headers = { 'Content-Type': 'application/json', Origin: url };
  const asked = request(`${url}/api/v1/session`, { method: 'POST', ca: authority.certificatePem, headers });
  const [reply] = (await once(asked.end(body), 'response')) as [IncomingMessage];
  reply.resume();
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['set-cookie']?.[0]).toMatch(/^__Secure-tls-toll\.session_token=.*; Secure/);
  const listed = await runCommandInTest(['users', 'list'], team);
  expect(listed).toMatchObject({ code: 0, stdout: 'admin     anna@example.com\n' });
  const stranger = await runCommandInTest(['schedules'], {
    ...{ TLS_TOLL_DATA: data('elsewhere'), TLS_TOLL_SERVER: url, TLS_TOLL_KEY: `tt_${'a'.repeat(43)}` },
  });
  expect(stranger.code).toBe(1);
  expect(stranger.stderr).toMatch(/^https:.* is not trusted here\.\n.*NODE_EXTRA_CA_CERTS/);
  server.kill('SIGINT');
  expect(await server.ended).toBe(0);
  expect(server.stderr()).toBe('');
});

test('a HOST that is not an address of this machine is named', async () => {
  // The one with an admin, from above.
  const team = { TLS_TOLL_DATA: data('team'), TLS_TOLL_SIGN_IN: 'on', TLS_TOLL_PLAIN: 'allowed' };
  await expectProblem({ ...team, HOST: '192.0.2.1' }, /^Cannot listen on 192\.0\.2\.1:0/);
});
