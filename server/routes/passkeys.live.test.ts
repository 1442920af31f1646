/** Protects passkeys: one opens the account that it was added to, once for each challenge, and nothing else does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Account,
  accountSchema,
  creationOptionsSchema,
  requestOptionsSchema,
} from '../../shared/passkey.ts';
import { problemSchema } from '../../shared/problem-schema.ts';
import type { Role } from '../../shared/role.ts';
import { hasPasskeys } from '../team/open-passkeys.ts';
import { type AuthenticatorInTest, openAuthenticator } from '../testing/authenticator-in-test.ts';
import { cookieIn, emailOf, localKey, openTeamInTest, type TeamInTest } from '../testing/team-in-test.ts';
import type { Reply } from '../testing/test-server.ts';

const origin = 'https://toll.example.com';
const rpID = 'toll.example.com';
const here = { origin, rpID };
const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' };

let team: TeamInTest;
beforeAll(async () => {
  team = await openTeamInTest({ secure: true, url: new URL(origin) });
});
afterAll(() => team.server.close());

const problemIn = (reply: Reply) => problemSchema.parse(JSON.parse(reply.text));

async function startAdding(role: Role) {
  const reply = await team.sendAs(role, '/api/v1/account/passkeys/challenge', { method: 'POST', headers });
  const { challenge, user } = creationOptionsSchema.parse(JSON.parse(reply.text));
  return { challenge, user, Cookie: `${team.cookies[role]}; ${cookieIn(reply)}` };
}

function sendNew(credential: unknown, Cookie: string): Promise<Reply> {
  const body = { name: 'laptop', credential };
  return team.server.send('/api/v1/account/passkeys', {
    method: 'POST',
    body,
    headers: { ...headers, Cookie },
  });
}

/** A passkey of that role, added. */
async function add(role: Role): Promise<AuthenticatorInTest> {
  const authenticator = openAuthenticator();
  const { challenge, Cookie } = await startAdding(role);
  const reply = await sendNew(authenticator.create({ ...here, challenge }), Cookie);
  expect(reply.status).toBe(201);
  return authenticator;
}

async function startSignIn() {
  const reply = await team.server.send('/api/v1/session/passkey/challenge', { method: 'POST', headers });
  const { challenge } = requestOptionsSchema.parse(JSON.parse(reply.text));
  return { challenge, Cookie: cookieIn(reply) };
}

const sendSignIn = (credential: unknown, Cookie: string) =>
  team.server.send('/api/v1/session/passkey', {
    method: 'POST',
    body: { credential },
    headers: { ...headers, Cookie },
  });

async function signInWith(authenticator: AuthenticatorInTest, counter = 0): Promise<Reply> {
  const { challenge, Cookie } = await startSignIn();
  return sendSignIn(authenticator.use({ ...here, challenge, counter }), Cookie);
}

async function accountOf(role: Role): Promise<Account> {
  return accountSchema.parse(JSON.parse((await team.sendAs(role, '/api/v1/account')).text));
}

function expectRefusal(reply: Reply): void {
  expect(reply.status).toBe(401);
  expect(problemIn(reply).code).toBe('passkey_refused');
  expect(reply.headers['set-cookie']).toBeUndefined();
}

test('a passkey opens the account of its user until it is removed, and the audit log has all of it', async () => {
  const passkey = await add('reader');
  const reply = await signInWith(passkey);
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.text).actor).toMatchObject({ name: emailOf('reader'), role: 'reader' });
  const session = { Cookie: cookieIn(reply) };
  expect((await team.server.send('/api/v1/limits', { headers: session })).status).toBe(200);

  const { password, passkeys } = await accountOf('reader');
  expect(password).toBe(true);
  expect(passkeys).toMatchObject([{ name: 'laptop', usedAt: expect.any(Number) }]);
  const at = `/api/v1/account/passkeys/${passkeys[0]?.id}`;
  expect(problemIn(await team.sendAs('operator', at, { method: 'DELETE' })).code).toBe('passkey_not_found');
  expect((await team.sendAs('reader', at, { method: 'DELETE' })).status).toBe(204);
  expectRefusal(await signInWith(passkey));
  const { events } = JSON.parse((await team.sendAs('admin', '/api/v1/audit')).text);
  expect(events.slice(0, 3).map(({ act }: { act: string }) => act)).toEqual([
    'Removed a passkey',
    'Signed in with a passkey',
    'Added a passkey',
  ]);
});

describe('nobody comes in', () => {
  let passkey: AuthenticatorInTest;
  beforeAll(async () => {
    passkey = await add('operator');
  });

  test('with an answer that was used before', async () => {
    const { challenge, Cookie } = await startSignIn();
    const answer = passkey.use({ ...here, challenge });
    expect((await sendSignIn(answer, Cookie)).status).toBe(200);
    expectRefusal(await sendSignIn(answer, Cookie));
  });

  test.each([
    ['for another site', { origin: 'https://evil.test', rpID: 'evil.test' }],
    ['from a page of another site', { ...here, origin: 'https://evil.test' }],
    ['to a challenge that somebody made up', { ...here, challenge: 'AAAA' }],
    ['from an authenticator that did not verify its user', { ...here, verified: false }],
  ])('with an answer %s', async (_what, change) => {
    const { challenge, Cookie } = await startSignIn();
    expectRefusal(await sendSignIn(passkey.use({ challenge, ...change }), Cookie));
  });

  test('with the challenge of another browser, or that of adding', async () => {
    const [mine, other] = [await startSignIn(), await startSignIn()];
    expectRefusal(await sendSignIn(passkey.use({ ...here, challenge: other.challenge }), mine.Cookie));
    expectRefusal(await sendSignIn(passkey.use({ ...here, challenge: other.challenge }), ''));
    const adding = await startAdding('operator');
    expectRefusal(await sendSignIn(passkey.use({ ...here, challenge: adding.challenge }), adding.Cookie));
  });

  test('with the signature of another key', async () => {
    const { challenge, Cookie } = await startSignIn();
    const { id, rawId } = passkey.use({ ...here, challenge });
    expectRefusal(
      await sendSignIn({ ...openAuthenticator().use({ ...here, challenge }), id, rawId }, Cookie),
    );
  });

  test('with a copy of an authenticator that counts', async () => {
    expect((await signInWith(passkey, 7)).status).toBe(200);
    expectRefusal(await signInWith(passkey, 7));
  });

  test.each([null, {}, { id: 'x' }, 'x'.repeat(90_000), []])('with rubbish: %#', async (credential) => {
    const { Cookie } = await startSignIn();
    expect((await sendSignIn(credential, Cookie)).status).toBe(400);
  });
});

describe('a passkey is not added', () => {
  test('with the challenge of somebody else', async () => {
    const { challenge, Cookie } = await startAdding('reader');
    const [, carried = ''] = Cookie.split('; ');
    expectRefusal(
      await sendNew(openAuthenticator().create({ ...here, challenge }), `${team.cookies.admin}; ${carried}`),
    );
  });

  test('twice, even to another account', async () => {
    const authenticator = await add('reader');
    const { challenge, Cookie } = await startAdding('admin');
    expectRefusal(await sendNew(authenticator.create({ ...here, challenge }), Cookie));
  });

  test.each([
    ['for another site', { origin: 'https://evil.test', rpID: 'evil.test' }],
    ['by an authenticator that did not verify its user', { ...here, verified: false }],
  ])('%s', async (_what, change) => {
    const { challenge, Cookie } = await startAdding('reader');
    expectRefusal(await sendNew(openAuthenticator().create({ challenge, ...change }), Cookie));
  });

  test('by a program with a key', async () => {
    const authorization = { ...headers, Authorization: `Bearer ${localKey}` };
    const options = { method: 'POST', headers: authorization };
    const reply = await team.server.send('/api/v1/account/passkeys/challenge', options);
    expect(problemIn(reply).code).toBe('key_needs_person');
  });
});

test('a new password of an admin removes the passkeys of a user', async () => {
  const passkey = await add('operator');
  const users = JSON.parse((await team.sendAs('admin', '/api/v1/users')).text);
  const { id } = users.find(({ role }: { role: string }) => role === 'operator');
  await team.sendAs('admin', `/api/v1/users/${id}/password`, { method: 'POST' });
  expectRefusal(await signInWith(passkey));
});

test.each([
  ['https://toll.example.com', true],
  ['http://localhost:7300', true],
  ['http://toll.example.com', false],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
])('browsers have passkeys at %s: %j', (url, expected) => {
  expect(hasPasskeys(new URL(url))).toBe(expected);
});
