/** Protects API keys: each may do what its role and its user may do, and one that no longer works is refused with the reason. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import type { Role } from '../../../shared/team/role.ts';
import {
  type CreatedApiKey,
  createdApiKeySchema,
  type NewApiKey,
  userWithPasswordSchema,
} from '../../../shared/team/team.ts';
import { emailOf, localKey, openTeamInTest, type TeamInTest } from '../../testing/team-in-test.ts';
import type { Reply, SendOptions } from '../../testing/test-server.ts';

let team: TeamInTest;
beforeAll(async () => {
  team = await openTeamInTest();
});
afterAll(() => team.server.close());

const problemIn = (reply: Reply) => problemSchema.parse(JSON.parse(reply.text));
const keysPath = '/api/v1/keys';

const ask = (role: Role, body: Partial<NewApiKey>) =>
  team.sendAs(role, keysPath, { method: 'POST', body: { name: 'nightly', ...body } });

async function make(role: Role, body: Partial<NewApiKey> = {}): Promise<CreatedApiKey> {
  const reply = await ask(role, body);
  expect(reply.status, reply.text).toBe(201);
  return createdApiKeySchema.parse(JSON.parse(reply.text));
}

const sendWith = (key: string, path: string, options: SendOptions = {}) =>
  team.server.send(path, { ...options, headers: { Authorization: `Bearer ${key}` } });

const startRun = (key: string) =>
  sendWith(key, '/api/v1/measurements', { method: 'POST', body: { kind: 'comparison' } });

describe('a key', () => {
  test('starts and cancels a measurement for its user, without Origin or cookie', async () => {
    const { key, ...rest } = await make('operator');
    expect(rest).toMatchObject({ name: 'nightly', role: 'operator', user: emailOf('operator') });
    const started = await startRun(key);
    expect(started.status).toBe(201);
    const cancel = `/api/v1/measurements/${JSON.parse(started.text).id}/cancel`;
    expect((await team.sendAs('operator', cancel, { method: 'POST', body: { keep: false } })).status).toBe(
      202,
    );
  });

  test('has its own role or the current role of its user, whichever is lower', async () => {
    const { key } = await make('admin', { role: 'reader' });
    expect(problemIn(await startRun(key))).toMatchObject({
      code: 'role_too_low',
      detail: expect.stringContaining('admin@example.com with the key nightly has the role reader'),
    });
    const { id } = await userOfRole('operator');
    const strong = await make('operator');
    await team.sendAs('admin', `/api/v1/users/${id}`, { method: 'PATCH', body: { role: 'reader' } });
    expect(problemIn(await startRun(strong.key)).code).toBe('role_too_low');
    await team.sendAs('admin', `/api/v1/users/${id}`, { method: 'PATCH', body: { role: 'operator' } });
    expect((await startRun(strong.key)).status).toBe(201);
  });

  test('cannot have a higher role than its user, create keys, or change passwords', async () => {
    expect(problemIn(await ask('reader', { role: 'operator' })).code).toBe('role_too_low');
    expect(problemIn(await ask('reader', { role: 'reader', user: emailOf('admin') })).code).toBe(
      'role_too_low',
    );
    const { key } = await make('admin', { role: 'admin' });
    const more = await sendWith(key, keysPath, { method: 'POST', body: { name: 'more' } });
    expect(problemIn(more).code).toBe('key_needs_person');
    const body = { current: team.passwords.admin, next: 'a sentence of my own' };
    const change = await sendWith(key, '/api/v1/session/password', { method: 'PUT', body });
    expect(problemIn(change).detail).toBe('An API key has no password to change.');
  });

  test('has the role of its user when none is asked for, operator at most', async () => {
    const keys = await Promise.all((['reader', 'operator', 'admin'] as const).map((role) => make(role)));
    expect(keys.map(({ role }) => role)).toEqual(['reader', 'operator', 'operator']);
  });

  test('is stored as a hash, and its use is noted', async () => {
    const { key, id } = await make('reader', { role: 'reader' });
    const row = () =>
      team.server.database.queries
        .selectFrom('apiKeys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    expect(JSON.stringify(await row())).not.toContain(key.slice(4));
    expect((await row()).usedAt).toBeNull();
    await sendWith(key, '/api/v1/limits');
    expect((await row()).usedAt).toBeGreaterThan(Date.now() - 60_000);
  });

  test('counts toward the request limit of its user', async () => {
    const small = await openTeamInTest({ limits: { requestsPerMinute: 5 } });
    const reply = await small.sendAs('reader', keysPath, {
      method: 'POST',
      body: { name: 'a', role: 'reader' },
    });
    const { key } = createdApiKeySchema.parse(JSON.parse(reply.text));
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const headers = { Authorization: `Bearer ${key}` };
      statuses.push((await small.server.send('/api/v1/limits', { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    const wrong = { Authorization: 'Bearer tt_wrong' };
    const refused: number[] = [];
    for (let i = 0; i < 5; i++)
      refused.push((await small.server.send('/api/v1/limits', { headers: wrong })).status);
    expect(refused.at(0)).toBe(401);
    expect(refused.at(-1)).toBe(429);
    await small.server.close();
  });
});

describe('a key is refused', () => {
  const causeOf = async (key: string) => {
    const reply = await sendWith(key, '/api/v1/limits');
    expect(reply.status).toBe(401);
    const { code, detail } = problemIn(reply);
    expect(code).toBe('key_refused');
    expect(detail).not.toContain(key.slice(4));
    return detail;
  };

  test('that expired', async () => {
    const { key, id } = await make('operator', { days: 1 });
    const { queries } = team.server.database;
    await queries.updateTable('apiKeys').set({ expiresAt: Date.now() }).where('id', '=', id).execute();
    expect(await causeOf(key)).toMatch(/“nightly” expired on 20\d\d-/);
  });

  test('that was deleted, by its user or by an admin', async () => {
    const made = [await make('operator'), await make('operator')];
    for (const [index, role] of (['operator', 'admin'] as const).entries()) {
      const { id = '', key = '' } = made[index] ?? {};
      expect((await sendWith(key, '/api/v1/limits')).status).toBe(200);
      expect(problemIn(await team.sendAs('reader', `${keysPath}/${id}`, { method: 'DELETE' })).code).toBe(
        'key_not_found',
      );
      expect((await team.sendAs(role, `${keysPath}/${id}`, { method: 'DELETE' })).status).toBe(204);
      expect(await causeOf(key)).toContain('was deleted on');
    }
  });

  test('whose user was removed', async () => {
    const body = { email: 'gone@example.com', role: 'operator' };
    const reply = await team.sendAs('admin', '/api/v1/users', { method: 'POST', body });
    const user = userWithPasswordSchema.parse(JSON.parse(reply.text));
    const headers = { Authorization: `Bearer ${localKey}` };
    const made = await team.server.send(keysPath, {
      method: 'POST',
      body: { name: 'orphan', user: body.email },
      headers,
    });
    const { key } = createdApiKeySchema.parse(JSON.parse(made.text));
    expect((await startRun(key)).status).toBe(201);
    await team.sendAs('admin', `/api/v1/users/${user.id}`, { method: 'DELETE' });
    expect(await causeOf(key)).toContain('The user of “orphan” was removed');
  });

  test.each([
    ['of another server', `tt_${'A'.repeat(43)}`, 'not created on this server'],
    ['that is cut off', 'tt_AAAA', 'incomplete'],
    ['that is no key', 'sk-12345', 'begin with tt_'],
    ['of 8,000 characters', `tt_${'A'.repeat(8000)}`, 'incomplete'],
  ])('%s', async (_what, key, cause) => {
    expect(await causeOf(key)).toContain(cause);
  });
});

test('people see their own keys, and admins see all', async () => {
  const namesFor = async (role: Role) =>
    JSON.parse((await team.sendAs(role, keysPath)).text).map(({ name }: { name: string }) => name);
  await make('reader', { name: 'mine', role: 'reader' });
  expect(await namesFor('reader')).toContain('mine');
  expect(await namesFor('operator')).not.toContain('mine');
  expect(await namesFor('admin')).toContain('mine');
  expect((await team.sendAs('admin', keysPath)).text).not.toContain('hash');
});

async function userOfRole(role: Role): Promise<{ id: string }> {
  const users = JSON.parse((await team.sendAs('admin', '/api/v1/users')).text);
  return users.find(({ email }: { email: string }) => email === emailOf(role));
}
