/** Protects sign-in with an identity provider: known people with a verified address come in, and nobody else by any trick. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { providerStartSchema } from '../../../shared/team/team.ts';
import {
  type IdentityProviderInTest,
  openIdentityProvider,
} from '../../testing/identity-provider-in-test.ts';
import { cookieIn, emailOf, openTeamInTest, type TeamInTest } from '../../testing/team-in-test.ts';
import type { Reply } from '../../testing/test-server.ts';

/** Address behind a proxy with HTTPS. */
const home = 'https://toll.example.com';
const at = '/api/v1/session/provider';
const callback = `${home}${at}/callback`;

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-oidc-'));
const clientSecretFile = join(directory, 'secret');
let idp: IdentityProviderInTest;
let team: TeamInTest;

beforeAll(async () => {
  idp = await openIdentityProvider(callback);
  writeFileSync(clientSecretFile, `${idp.clientSecret}\n`, { mode: 0o600 });
  const { issuer, clientId } = idp;
  const provider = { issuer, clientId, clientSecretFile, name: 'Acme' };
  team = await openTeamInTest({ secure: true, url: new URL(home), provider });
});
afterAll(async () => {
  await team.server.close();
  idp.close();
  rmSync(directory, { recursive: true });
});

const problemIn = (reply: Reply) => problemSchema.parse(JSON.parse(reply.text));

function begin({ returnTo = '/runs?q=a', origin = home } = {}): Promise<Reply> {
  const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
  return team.server.send(at, { method: 'POST', headers, body: { returnTo } });
}

/** Signs in at the provider. Returns the browser's cookie and the address that the provider sends the browser back to. */
async function visitProvider(started: Reply): Promise<{ Cookie: string; back: URL; asked: URL }> {
  const { url } = providerStartSchema.parse(JSON.parse(started.text));
  const jar = new Map<string, string>();
  let here = new URL(url);
  for (let hop = 0; here.origin !== home; hop += 1) {
    if (hop > 10) throw new Error(`no way back from ${here}`);
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(here, { redirect: 'manual', headers: { Cookie } });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const next = reply.headers.get('location');
    if (next === null) throw new Error(`${here} answered ${reply.status}: ${await reply.text()}`);
    here = new URL(next, here);
  }
  return { Cookie: cookieIn(started), back: here, asked: new URL(url) };
}

const comeBack = (back: URL, Cookie: string) =>
  team.server.send(`${back.pathname}${back.search}`, {
    headers: { Cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  });

async function signInAs(email: string, verified = true): Promise<Reply> {
  idp.next = { email, verified };
  const { Cookie, back } = await visitProvider(await begin());
  return comeBack(back, Cookie);
}

const sessionIn = (reply: Reply) =>
  (reply.headers['set-cookie'] ?? []).find((cookie) => cookie.includes('session_token'));

function expectProblem(reply: Reply, code: string): void {
  expect(reply.status).toBe(303);
  expect(reply.headers.location).toMatch(new RegExp(`^/[^#]*#sign-in=${code}$`));
  expect(sessionIn(reply)).toBeUndefined();
}

test('a user comes in with a new session, at the page that they wanted, and the audit log says so', async () => {
  idp.next = { email: 'Reader@Example.com', verified: true };
  const started = await begin();
  expect(started.headers['set-cookie']?.[0]).toMatch(/^__Host-tls-toll\.provider=\w+;.*HttpOnly;.*Secure$/);
  const { Cookie, back, asked } = await visitProvider(started);
  expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
  expect(asked.searchParams.get('redirect_uri')).toBe(callback);
  const reply = await comeBack(back, `${Cookie}; ${team.cookies.admin}`);
  expect(reply.status).toBe(303);
  expect(reply.headers.location).toBe('/runs?q=a');
  expect(sessionIn(reply)).toMatch(/^__Secure-tls-toll\.session_token=.*HttpOnly; Secure; SameSite=Lax$/);
  expect(team.cookies.reader).not.toContain(String(sessionIn(reply)).split(';')[0]);

  const session = { Cookie: cookieIn(reply) };
  const who = await team.server.send('/api/v1/session', { headers: session });
  expect(JSON.parse(who.text)).toMatchObject({
    actor: { name: emailOf('reader'), role: 'reader' },
    ways: { provider: 'Acme' },
  });
  const audit = JSON.parse((await team.sendAs('admin', '/api/v1/audit')).text);
  expect(audit.events[0]).toMatchObject({
    who: emailOf('reader'),
    act: 'Signed in with the identity provider',
  });
  const { queries } = team.server.database;
  const kept = await queries.selectFrom('accounts').select('providerId').distinct().execute();
  expect(kept).toEqual([{ providerId: 'credential' }]);
});

test('a stranger stays outside, and nobody is made a user', async () => {
  const users = async () => (await team.sendAs('admin', '/api/v1/users')).text;
  const before = await users();
  expectProblem(await signInAs('stranger@example.com'), 'not_a_user');
  expect(await users()).toBe(before);
});

test.each([
  ['that the provider has not verified', emailOf('admin'), false],
  // The Kelvin sign, which becomes a k when written small.
  ['that only looks like that of a user', 'baker@example.com'.replace('k', '\u212a'), true],
])('an address %s opens nothing', async (_what, email, verified) => {
  const body = { email: 'baker@example.com' };
  await team.sendAs('admin', '/api/v1/users', { method: 'POST', body, headers: { Origin: home } });
  expectProblem(await signInAs(email, verified), 'email_unverified');
});

test('a user without a password has this way only', async () => {
  const body = { email: 'only@example.com', role: 'operator', password: false };
  const made = await team.sendAs('admin', '/api/v1/users', { method: 'POST', body });
  expect(JSON.parse(made.text)).toMatchObject({ email: body.email, password: null });
  expect((await team.signIn(body.email, 'null')).status).toBe(401);
  const Cookie = cookieIn(await signInAs(body.email));
  expect((await team.server.send('/api/v1/limits', { headers: { Cookie } })).status).toBe(200);
  const account = await team.server.send('/api/v1/account', { headers: { Cookie } });
  expect(JSON.parse(account.text)).toEqual({ password: false });
  expect(JSON.parse((await team.sendAs('reader', '/api/v1/account')).text)).toEqual({ password: true });
});

describe('an answer that is not the one to this browser’s question', () => {
  test.each([
    ['without the cookie of the beginning', (back: URL) => [back, '']],
    ['with a forged cookie', (back: URL) => [back, `__Host-tls-toll.provider=${'ab'.repeat(200)}`]],
    [
      'with a state that somebody made up',
      (back: URL, Cookie: string) => [change(back, 'state', 'x'), Cookie],
    ],
    ['with a code that somebody made up', (back: URL, Cookie: string) => [change(back, 'code', 'x'), Cookie]],
    ['with a second code', (back: URL, Cookie: string) => [new URL(`${back}&code=x`), Cookie]],
    [
      'from another provider',
      (back: URL, Cookie: string) => [change(back, 'iss', 'https://evil.test'), Cookie],
    ],
    ['without anything', (back: URL, Cookie: string) => [new URL(back.pathname, back), Cookie]],
  ] as [string, (back: URL, cookie: string) => [URL, string]][])('%s opens nothing', async (_what, forge) => {
    idp.next = { email: emailOf('admin'), verified: true };
    const { back, Cookie } = await visitProvider(await begin());
    expectProblem(await comeBack(...forge(back, Cookie)), 'provider_(refused|unusable)');
  });

  test('of another browser that began as well opens nothing', async () => {
    idp.next = { email: emailOf('admin'), verified: true };
    const [victim, attacker] = [await begin(), await visitProvider(await begin())];
    expectProblem(await comeBack(attacker.back, cookieIn(victim)), 'provider_refused');
  });

  test('opens nothing the second time', async () => {
    idp.next = { email: emailOf('reader'), verified: true };
    const { back, Cookie } = await visitProvider(await begin());
    expect(sessionIn(await comeBack(back, Cookie))).toBeDefined();
    expectProblem(await comeBack(back, Cookie), 'provider_refused');
  });

  test('is no for a user who declines', async () => {
    idp.next = null;
    const { back, Cookie } = await visitProvider(await begin());
    expectProblem(await comeBack(back, Cookie), 'provider_refused');
  });
});

function change(address: URL, name: string, value: string): URL {
  const changed = new URL(address);
  changed.searchParams.set(name, value);
  return changed;
}

test.each(['//evil.test', 'https://evil.test', '/\\evil.test', '/a\\b', '/\tevil.test', '', 'runs', '/é'])(
  'the way back leads to no other site: %j',
  async (returnTo) => {
    const reply = await begin({ returnTo });
    expect(reply.status).toBe(400);
    expect(problemIn(reply).code).toBe('invalid_request');
  },
);

test('a page at another address of the server learns the right one', async () => {
  const reply = await begin({ origin: team.server.origin });
  expect(problemIn(reply)).toMatchObject({
    code: 'sign_in_elsewhere',
    detail: expect.stringContaining(home),
  });
});
