/** Protects a recorder, which may be signed in somewhere, from everybody but the person who started it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import {
  createdRecordingSchema,
  openRecordingSchema,
  recorderProtocol,
} from '../../../shared/scenario/recorder.ts';
import type { Role } from '../../../shared/team/role.ts';
import type { AuditEvent } from '../../../shared/team/team.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { configInTest } from '../../testing/server-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';
import { type RunningServer, startServer } from '../start/start-server.ts';
import { openUsers } from '../team/open-team.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-holder-'));
const people = { anna: 'admin', ada: 'admin', ben: 'operator', rita: 'reader' } as const;
type Person = keyof typeof people;
const cookies = new Map<Person, string>();
let server: RunningServer;
let key: string;

beforeAll(async () => {
  const database = await openDatabase({ directory, url: null });
  const users = openUsers(database);
  const passwords = new Map<Person, string>();
  for (const [person, role] of Object.entries(people) as [Person, Role][]) {
    passwords.set(person, (await addUser(users, { email: `${person}@example.com`, role })).password);
  }
  await database.close();
  const team = { linksOpen: true, url: null, proxies: 0, oidc: null };
  server = await startServer({ ...configInTest(directory), chromiumPath: chromiumInTest, team });
  for (const [person, password] of passwords) {
    const { response } = await send('POST', '/session', { email: `${person}@example.com`, password });
    cookies.set(person, (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '');
  }
  ({ key } = (await send('POST', '/keys', { name: 'nightly', role: 'operator' }, as('anna'))).body as {
    key: string;
  });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const as = (person: Person) => ({ Cookie: cookies.get(person) ?? '' });
const bearer = (secret: string | null) => ({ Authorization: `Bearer ${secret}` });

async function send(method: string, path: string, body: unknown, who: Record<string, string> = {}) {
  const response = await fetch(server.url + apiPrefix + path, {
    method,
    headers: { Origin: server.url, 'Content-Type': 'application/json', ...who },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { response, status: response.status, body: text === '' ? null : JSON.parse(text) };
}
const start = async (who: Record<string, string>) =>
  createdRecordingSchema.parse((await send('POST', '/recordings', { url: 'storefront' }, who)).body);
const finish = (sid: string, who: Record<string, string>) =>
  send('POST', `/recordings/${sid}/finish`, {}, who);
const askTicket = (sid: string, who: Record<string, string>) =>
  send('POST', `/recordings/${sid}/tickets`, {}, who);

/** How the socket ends: the status that rejects it, or the code that closes it; 0 while it is open. */
function connect(sid: string, ticket: string, headers: Record<string, string>): Promise<number> {
  const address = `${server.url.replace('http', 'ws')}${apiPrefix}/recordings/${sid}`;
  const socket = new WebSocket(address, [recorderProtocol, ticket], { origin: server.url, headers });
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
    socket.on('close', resolve);
    socket.on('message', () => {
      resolve(0);
      socket.terminate();
    });
  });
}

const rejection = async (asked: Promise<{ body: unknown }>) => problemSchema.parse((await asked).body).code;

async function takeOvers(): Promise<AuditEvent[]> {
  const { events } = (await send('GET', '/audit', undefined, as('anna'))).body as { events: AuditEvent[] };
  return events.filter(({ what }) => what === 'taken_over');
}

test('only the user who started it gets a ticket, a picture, or what was recorded', async () => {
  const { sid, ticket } = await start(as('anna'));
  const health = (await send('GET', '/health', undefined, as('rita'))).body;
  expect(health).toMatchObject({
    running: expect.any(String),
    holder: { kind: 'recording', forS: expect.any(Number) },
  });
  expect(JSON.stringify(health)).not.toContain(sid);

  for (const other of [as('ben'), as('ada'), bearer(key), bearer(server.key)]) {
    expect(await rejection(askTicket(sid, other))).toBe('recording_not_yours');
    expect(await rejection(finish(sid, other))).toBe('recording_not_yours');
    expect(await connect(sid, ticket, other)).toBe(403);
  }
  expect(await rejection(askTicket(sid, as('rita')))).toBe('role_too_low');
  expect(await connect(sid, ticket, as('rita'))).toBe(4003);
  expect(await connect(sid, ticket, {})).toBe(4003);

  expect(await connect(sid, ticket, as('anna'))).toBe(0);
  const again = (await askTicket(sid, as('anna'))).body as { ticket: string };
  expect(await connect(sid, again.ticket, as('anna'))).toBe(0);
  expect((await finish(sid, as('anna'))).status).toBe(200);
  expect(await rejection(finish(sid, as('ben')))).toBe('recording_not_yours');
});

test('its user and an admin see that a recording is open and may end it, and nobody else', async () => {
  const open = async (who: Record<string, string>) =>
    openRecordingSchema.parse((await send('GET', '/recordings/open', undefined, who)).body).open;
  const end = (who: Record<string, string>) => send('DELETE', '/recordings/open', undefined, who);
  const { sid, url } = await start(as('ben'));
  expect(await open(as('ben'))).toEqual({ startedAt: expect.any(Number), url });
  expect(await open(as('anna'))).toEqual({ startedAt: expect.any(Number), url: null });
  expect(await open(bearer(key))).toBeNull();
  expect(await rejection(end(bearer(key)))).toBe('recording_not_yours');
  expect((await end(as('anna'))).status).toBe(204);
  expect(await open(as('ben'))).toBeNull();
  expect(await rejection(finish(sid, as('ben')))).toBe('recording_not_found');
  expect(await rejection(end(as('ben')))).toBe('recording_not_found');
  await start(as('ben'));
  expect((await end(as('ben'))).status).toBe(204);
});

test('what a replay sent is shown only to the user who started it', async () => {
  const actions = [{ type: 'goto', line: null, page: 0, url: 'http://127.0.0.1/' }];
  const { sid } = (await send('POST', '/recordings/replays', { actions, at: 'storefront' }, as('anna')))
    .body as { sid: string };
  expect(await rejection(finish(sid, as('ben')))).toBe('recording_not_yours');
  expect((await finish(sid, as('anna'))).status).toBe(200);
});

test('a program’s recording is open to the person that it acts for', async () => {
  const { sid } = await start(bearer(key));
  expect(await rejection(askTicket(sid, as('ben')))).toBe('recording_not_yours');
  const { ticket } = (await askTicket(sid, as('anna'))).body as { ticket: string };
  expect(await connect(sid, ticket, as('anna'))).toBe(0);
  expect((await finish(sid, bearer(key))).status).toBe(200);
});

test('what the command line of this machine started is held by the first admin who opens it, which is logged', async () => {
  const { sid } = await start(bearer(server.key));
  expect(await rejection(askTicket(sid, as('ben')))).toBe('recording_not_yours');
  expect(await takeOvers()).toEqual([]);
  const { ticket } = (await askTicket(sid, as('anna'))).body as { ticket: string };
  expect(await takeOvers()).toMatchObject([
    { who: 'anna@example.com', subject: sid, act: 'Took over a recording of the command line' },
  ]);
  expect(await connect(sid, ticket, as('anna'))).toBe(0);
  expect(await rejection(askTicket(sid, as('ada')))).toBe('recording_not_yours');
  expect((await finish(sid, as('anna'))).status).toBe(200);
  expect(await takeOvers()).toHaveLength(1);
});
