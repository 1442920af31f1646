/** Protects the users of a server: they are stored once, and lose everything when they go, in both databases. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSessions, openUsers } from '../../edge/team/open-team.ts';
import { openKeys } from '../../edge/team/team-keys.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';

describe.each(engines)('in %s', (engine) => {
  let place: DatabaseInTest;
  beforeAll(async () => {
    place = await openDatabaseInTest(engine);
  });
  afterAll(() => place.close());

  const rows = async () => {
    const { queries } = place.database;
    const [users, accounts, sessions] = await Promise.all([
      queries.selectFrom('users').select('id').execute(),
      queries.selectFrom('accounts').select(['userId as id', 'password']).execute(),
      queries.selectFrom('sessions').select('userId as id').execute(),
    ]);
    return { users, accounts, sessions };
  };

  test('a user signs in, changes roles, and takes sessions and password along', async () => {
    const users = openUsers(place.database);
    const sessions = openSessions(place.database, { secret: 'x'.repeat(64), secure: false });
    const admin = await addUser(users, { email: 'admin@example.com', role: 'admin' });
    const { id, email, password } = await addUser(users, { email: 'ben@example.com', role: 'reader' });
    const { cookies, actor } = await sessions.signIn({ email, password });
    expect(actor).toEqual({ id, name: email, role: 'reader', key: null });
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    expect(await sessions.find({ cookie })).toEqual(actor);

    await users.changeRole(id, 'operator');
    expect(await sessions.find({ cookie })).toMatchObject({ role: 'operator' });
    expect((await users.list()).map((user) => user.email)).toEqual(['admin@example.com', email]);
    await expect(addUser(users, { email, role: 'admin' })).rejects.toThrow('already');

    const stored = await rows();
    expect(stored.sessions).toEqual([{ id }]);
    expect(JSON.stringify(stored)).not.toContain(password);

    await users.resetPassword(id);
    expect(await sessions.find({ cookie })).toBeNull();
    await expect(sessions.signIn({ email, password })).rejects.toThrow('No user');

    const keys = openKeys(place.database);
    const { key } = await keys.create(
      { name: 'ci', role: 'operator', days: 30 },
      { ...actor, role: 'operator' },
    );
    expect(await keys.identify(key)).toEqual({ id, name: email, role: 'operator', key: 'ci' });
    expect(await keys.list(actor)).toMatchObject([{ name: 'ci', user: email, usedAt: expect.any(Number) }]);

    await users.remove(id);
    await expect(keys.identify(key)).rejects.toThrow('The user of “ci” was removed');
    expect(await keys.list({ ...actor, role: 'admin' })).toEqual([]);
    const left = await rows();
    expect(left.users).toEqual([{ id: admin.id }]);
    expect(left.accounts.map((account) => account.id)).toEqual([admin.id]);
    await expect(users.remove(id)).rejects.toThrow(id);
  });

  test('of two admins who remove each other at the same time, one stays', async () => {
    const users = openUsers(place.database);
    await addUser(users, { email: 'second@example.com', role: 'admin' });
    const admins = (await users.list()).filter(({ role }) => role === 'admin');
    const outcomes = await Promise.allSettled(admins.map(({ id }) => users.remove(id)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await users.list()).filter(({ role }) => role === 'admin')).toHaveLength(1);
  });
});
