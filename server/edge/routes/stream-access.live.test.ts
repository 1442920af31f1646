/** Protects a result whose links are closed from streams that outlive the session or the key which opened them. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createdApiKeySchema } from '../../../shared/team/team.ts';
import { addUser, cookieIn, openTeamInTest, type TeamInTest } from '../../testing/team-in-test.ts';
import { openUsers } from '../team/open-team.ts';

let team: TeamInTest;
beforeAll(async () => {
  team = await openTeamInTest({ linksOpen: false });
});
afterAll(() => team.server.close());

test('a stream ends after sign-out, with the key, and with the user, and goes on for who may still read', async () => {
  const { server, sendAs, signIn } = team;
  const users = openUsers(server.database);
  const { id: userId, password } = await addUser(users, { email: 'cara@example.com', role: 'reader' });
  const cara = cookieIn(await signIn('cara@example.com', password));
  const made = await sendAs('operator', '/api/v1/keys', { method: 'POST', body: { name: 'nightly' } });
  const key = createdApiKeySchema.parse(JSON.parse(made.text));
  const run = await sendAs('operator', '/api/v1/measurements', {
    ...{ method: 'POST', body: { kind: 'comparison', seed: 2 } },
  });
  const { id } = JSON.parse(run.text) as { id: string };

  const streams = await Promise.all(
    [
      { Cookie: team.cookies.reader },
      { Authorization: `Bearer ${key.key}` },
      { Cookie: cara },
      { Cookie: team.cookies.admin },
    ].map((headers) => open(`${server.origin}/api/v1/measurements/${id}/events`, headers)),
  );
  const over = streams.map((stream) => new Promise((resolve) => stream.once('close', resolve)));
  await sendAs('reader', '/api/v1/session', { method: 'DELETE' });
  await sendAs('operator', `/api/v1/keys/${key.id}`, { method: 'DELETE' });
  await users.remove(userId);
  await Promise.all(over.slice(0, 3));

  const admins = streams[3] as IncomingMessage;
  expect(admins.closed).toBe(false);
  const end = once(admins, 'end');
  await server.measurements.cancel(id, true);
  await end;
  expect(admins.complete).toBe(true);
});

async function open(address: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = (await once(get(address, { agent: false, headers }), 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.on('error', () => {});
  response.resume();
  return response;
}
