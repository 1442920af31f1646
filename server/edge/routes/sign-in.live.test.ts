/** Protects a server with sign-in: nobody gets in without a password, a role, and a session that is still good. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { reaches, roles } from '../../../shared/team/role.ts';
import { userWithPasswordSchema } from '../../../shared/team/team.ts';
import { cookieIn, emailOf, localKey, openTeamInTest, type TeamInTest } from '../../testing/team-in-test.ts';
import type { Reply } from '../../testing/test-server.ts';

let team: TeamInTest;
beforeAll(async () => {
  team = await openTeamInTest();
});
afterAll(() => team.server.close());

const problemIn = (reply: Reply) => problemSchema.parse(JSON.parse(reply.text));
const create = { method: 'POST', body: { kind: 'comparison' } };
const id = 'A'.repeat(22);

/** Every endpoint by what it demands, with an address that fits it. */
const calls = Object.entries(endpoints).map(([name, { method, path, access }]) => ({
  name,
  access,
  method: method.toUpperCase(),
  path: `/api/v1${path.replace(':pair', `${id}..${id}`).replace(/:\w+/g, id)}`,
}));

describe('without a session', () => {
  test.each(calls.filter(({ access }) => access !== 'anyone' && access !== 'link'))(
    '$name is refused before anything else is looked at',
    async ({ method, path }) => {
      const reply = await team.server.send(path, { method });
      expect(reply.status).toBe(401);
      expect(problemIn(reply).code).toBe('sign_in_required');
    },
  );

  test('the link of a result opens, and nothing that lists results', async () => {
    const { id } = await team.server.storeRun();
    for (const path of [`/r/${id}.json`, `/r/${id}`, `/api/v1/measurements/${id}`, `/r/${id}/badge.svg`])
      expect((await team.server.send(path)).status, path).toBe(200);
    for (const path of ['/api/v1/measurements', `/api/v1/measurements/${id}/series`])
      expect((await team.server.send(path)).status, path).toBe(401);
  });

  test('closed links open for readers only, and a browser gets the page that asks for a password', async () => {
    const closed = await openTeamInTest({ linksOpen: false });
    const { id } = await closed.server.storeRun();
    for (const path of [
      `/r/${id}.json`,
      `/r/${id}`,
      `/api/v1/measurements/${id}`,
      `/r/${id}/badge.svg`,
      `/r/${id}.html`,
    ]) {
      const headers = { Accept: 'application/json' };
      expect((await closed.server.send(path, { headers })).status, path).toBe(401);
      expect((await closed.sendAs('reader', path)).status, path).not.toBe(401);
    }
    const page = await closed.server.send(`/r/${id}`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(401);
    expect(page.text).toContain('<div id="root">');
    expect(page.text).not.toContain('og:title');
    await closed.server.close();
  });
});

describe.each(roles)('a %s', (role) => {
  test.each(calls.filter(({ access }) => access !== 'anyone' && access !== 'link'))(
    'may call $name exactly if the table says so',
    async ({ method, path, access }) => {
      const may = reaches(role, access === 'link' || access === 'anyone' ? 'reader' : access);
      // A body that no endpoint takes: whoever may call it is refused for that, or finds nothing.
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: [] };
      const reply = await team.sendAs(role, path, { method, ...body });
      if (may) return expect(problemOrNull(reply)).not.toBe('role_too_low');
      expect(reply.status).toBe(403);
      expect(problemIn(reply)).toMatchObject({
        code: 'role_too_low',
        detail: expect.stringContaining(access),
      });
    },
  );
});

function problemOrNull({ status, text }: Reply): string | null {
  return status < 400 ? null : problemSchema.parse(JSON.parse(text)).code;
}

describe('signing in', () => {
  test('the cookie is for this site alone, out of reach of scripts, and new each time', async () => {
    const cookies = [];
    for (let i = 0; i < 2; i++) {
      const reply = await team.signIn(emailOf('reader'), team.passwords.reader, {
        Cookie: team.cookies.admin,
      });
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.text).actor).toMatchObject({ name: emailOf('reader'), role: 'reader' });
      const [cookie = ''] = reply.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/^tls-toll\.session_token=[^;]+;.*Path=\/;.*HttpOnly;.*SameSite=Lax/i);
      cookies.push(cookieIn(reply));
    }
    expect(new Set(cookies).size).toBe(2);
  });

  test('behind HTTPS the cookie goes over HTTPS only', async () => {
    const secure = await openTeamInTest({ secure: true });
    const reply = await secure.signIn(emailOf('reader'), secure.passwords.reader);
    expect(reply.headers['set-cookie']?.[0]).toMatch(/^__Secure-tls-toll\.session_token=.*; Secure/);
    expect((await secure.sendAs('reader', '/api/v1/limits')).status).toBe(200);
    await secure.server.close();
  });

  test('a wrong password and an unknown address are the same answer', async () => {
    const answers = [
      await team.signIn(emailOf('reader'), 'wrong password'),
      await team.signIn('nobody@example.com', 'wrong password'),
    ].map(problemIn);
    expect(answers[0]).toMatchObject({ status: 401, code: 'wrong_password' });
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each([
    ['an address of 10,000 characters', { email: `${'a'.repeat(10_000)}@example.com`, password: 'x' }],
    ['a password of 10,000 characters', { email: 'anna@example.com', password: 'x'.repeat(10_000) }],
    ['no address', { password: 'x' }],
    ['a number', { email: 1, password: 'x' }],
    ['a list', { email: ['anna@example.com'], password: 'x' }],
    ['an object of a query', { email: { $ne: null }, password: { $ne: null } }],
    ['a role', { email: 'anna@example.com', password: 'x', role: 'admin' }],
  ])('%s is refused by name', async (_what, body) => {
    const reply = await team.server.send('/api/v1/session', { method: 'POST', body });
    expect(reply.status).toBe(400);
    expect(problemIn(reply).code).toBe('invalid_request');
  });

  test('after ten wrong passwords the right one is refused too, for that account and address alone', async () => {
    const guessed = await openTeamInTest({ proxies: 1 });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const email = emailOf('operator');
    const attempts = Array.from({ length: 12 }, () => guessed.signIn(email, 'a guess', from('192.0.2.1')));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const right = await guessed.signIn(email, guessed.passwords.operator, from('192.0.2.1'));
    expect(right.status).toBe(429);
    expect(problemIn(right)).toMatchObject({ code: 'too_many_attempts', retryAfterS: expect.any(Number) });
    const status = async (name: string, password: string, address: string) =>
      (await guessed.signIn(name, password, from(address))).status;
    expect(await status(email, guessed.passwords.operator, '192.0.2.2')).toBe(200);
    expect(await status(emailOf('reader'), guessed.passwords.reader, '192.0.2.1')).toBe(200);
    await guessed.server.close();
  });

  test('without a proxy nobody chooses the address that is counted', async () => {
    const direct = await openTeamInTest();
    const statuses = [];
    for (let i = 0; i < 11; i++) {
      const headers = { 'X-Forwarded-For': `192.0.2.${i}` };
      statuses.push((await direct.signIn(emailOf('reader'), 'a guess', headers)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    await direct.server.close();
  });

  test('a page of another site can neither sign in nor out', async () => {
    const headers = { Origin: 'https://evil.test' };
    expect((await team.signIn(emailOf('reader'), team.passwords.reader, headers)).status).toBe(403);
    const out = await team.sendAs('reader', '/api/v1/session', { method: 'DELETE', headers });
    expect(problemIn(out).code).toBe('cross_origin');
    expect((await team.sendAs('reader', '/api/v1/limits')).status).toBe(200);
  });
});

describe('a session', () => {
  test('that was signed out is over, whoever kept its cookie', async () => {
    const stolen = cookieIn(await team.signIn(emailOf('admin'), team.passwords.admin));
    const ask = () => team.server.send('/api/v1/users', { headers: { Cookie: stolen } });
    expect((await ask()).status).toBe(200);
    const out = await team.server.send('/api/v1/session', { method: 'DELETE', headers: { Cookie: stolen } });
    expect(out.status).toBe(204);
    const refused = await ask();
    expect(refused.status).toBe(401);
    expect(problemIn(refused).detail).toContain('session has ended');
  });

  test('of another server is not one of this server', async () => {
    const other = await openTeamInTest();
    const reply = await team.server.send('/api/v1/users', { headers: { Cookie: other.cookies.admin } });
    expect(problemIn(reply).detail).toContain('another server');
    await other.server.close();
  });

  test.each([
    'tls-toll.session_token=forged.signature',
    'tls-toll.session_token=%',
    'tls-toll.session_token=',
    'x'.repeat(8000),
  ])('that was made up is none: %s', async (Cookie) => {
    expect((await team.server.send('/api/v1/limits', { headers: { Cookie } })).status).toBe(401);
  });

  test('has the role that its user has now, and ends with the user', async () => {
    const made = await team.sendAs('admin', '/api/v1/users', {
      method: 'POST',
      body: { email: 'Short@Example.com', role: 'operator' },
    });
    expect(made.status).toBe(201);
    const user = userWithPasswordSchema.parse(JSON.parse(made.text));
    const Cookie = cookieIn(await team.signIn('short@example.com', user.password));
    const run = () => team.server.send('/api/v1/measurements', { ...create, headers: { Cookie } });
    expect((await run()).status).toBe(201);
    const at = `/api/v1/users/${user.id}`;
    await team.sendAs('admin', at, { method: 'PATCH', body: { role: 'reader' } });
    expect(problemIn(await run()).code).toBe('role_too_low');
    expect((await team.sendAs('admin', at, { method: 'DELETE' })).status).toBe(204);
    expect((await run()).status).toBe(401);
    expect((await team.signIn('short@example.com', user.password)).status).toBe(401);
  });

  test('ends when the password changes, except for the one that changed it', async () => {
    const { password: first, email } = userWithPasswordSchema.parse(
      JSON.parse(
        (await team.sendAs('admin', '/api/v1/users', { method: 'POST', body: { email: 'pat@example.com' } }))
          .text,
      ),
    );
    const mine = cookieIn(await team.signIn(email, first));
    const other = cookieIn(await team.signIn(email, first));
    const status = async (Cookie: string) =>
      (await team.server.send('/api/v1/limits', { headers: { Cookie } })).status;
    const change = (current: string) =>
      team.server.send('/api/v1/session/password', {
        method: 'PUT',
        body: { current, next: 'a sentence of my own' },
        headers: { Cookie: mine },
      });
    expect(problemIn(await change('wrong')).code).toBe('wrong_password');
    expect(await status(other)).toBe(200);
    const changed = await change(first);
    expect(changed.status).toBe(204);
    expect(await status(other)).toBe(401);
    expect(await status(cookieIn(changed))).toBe(200);
    expect((await team.signIn(email, first)).status).toBe(401);
    expect((await team.signIn(email, 'a sentence of my own')).status).toBe(200);
  });
});

describe('what people may do with each other', () => {
  test('operators cancel what they started, and admins everything', async () => {
    const start = async (role: 'operator' | 'admin') =>
      JSON.parse((await team.sendAs(role, '/api/v1/measurements', create)).text).id as string;
    const cancel = (role: 'operator' | 'admin', id: string) =>
      team.sendAs(role, `/api/v1/measurements/${id}/cancel`, { method: 'POST', body: { keep: false } });
    const own = await start('operator');
    const foreign = await start('admin');
    expect(problemIn(await cancel('operator', foreign)).code).toBe('not_yours');
    expect((await cancel('operator', own)).status).toBe(202);
    expect((await cancel('admin', foreign)).status).toBe(202);
  });

  test('a delete token does not go to a colleague who guesses the Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'nightly' };
    const start = async (role: 'operator' | 'admin') =>
      JSON.parse((await team.sendAs(role, '/api/v1/measurements', { ...create, headers })).text);
    const mine = await start('admin');
    expect(mine.deleteToken).toEqual(expect.any(String));
    expect(await start('admin')).toEqual(mine);
    const theirs = await start('operator');
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.deleteToken).not.toBe(mine.deleteToken);
  });

  test('the last admin stays one', async () => {
    const users = JSON.parse((await team.sendAs('admin', '/api/v1/users')).text);
    const { id } = users.find(({ role }: { role: string }) => role === 'admin');
    const demoted = await team.sendAs('admin', `/api/v1/users/${id}`, {
      method: 'PATCH',
      body: { role: 'reader' },
    });
    expect(problemIn(demoted).code).toBe('last_admin');
    const removed = await team.sendAs('admin', `/api/v1/users/${id}`, { method: 'DELETE' });
    expect(problemIn(removed).code).toBe('last_admin');
  });

  test('an address is a user once, however it is written', async () => {
    const reply = await team.sendAs('admin', '/api/v1/users', {
      method: 'POST',
      body: { email: emailOf('reader').toUpperCase() },
    });
    expect(problemIn(reply).code).toBe('user_exists');
  });
});

test('the key of the command line is an admin, and any other key nobody', async () => {
  const ask = (Authorization: string) => team.server.send('/api/v1/users', { headers: { Authorization } });
  expect((await ask(`Bearer ${localKey}`)).status).toBe(200);
  for (const wrong of [`Bearer ${localKey}x`, 'Bearer x']) {
    const reply = await ask(wrong);
    expect(problemIn(reply)).toMatchObject({
      code: 'key_refused',
      detail: expect.stringContaining('The Authorization header contains no API key'),
    });
  }
});

test('a page knows its reader, and is stored nowhere', async () => {
  const page = await team.sendAs('reader', '/', { headers: { Accept: 'text/html' } });
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.text).toContain('reader@example.com');
  const nobody = await team.server.send('/', { headers: { Accept: 'text/html' } });
  expect(nobody.text).toContain('tls-toll-identity');
  expect(nobody.text).not.toContain('example.com');
});
