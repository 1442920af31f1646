/** Protects the list of hosts that may be loaded, and the log that nothing is ever taken from. */
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { allowRequestSchema } from '../../../shared/target/target.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { openPermits } from './open-permits.ts';

const opened: DatabaseInTest[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const asker = (who: string) => ({ who, userId: null, key: null, from: null });
const [ann, bob] = [asker('ann'), asker('bob')];

const request = (host: string, caps = {}) => allowRequestSchema.parse({ host, why: 'a test', caps });

describe.each(engines)('in %s', (engine) => {
  async function open(hosts: string[] = []) {
    const inTest = await openDatabaseInTest(engine);
    opened.push(inTest);
    return { permits: openPermits(inTest.database, hosts), database: inTest.database };
  }

  test('a host is allowed until it is withdrawn, and both are logged', async () => {
    const { permits } = await open(['env.example.com']);
    const { id } = await permits.allow(request('Staging.example.com.', { minutes: 3 }), ann);
    expect((await permits.current()).map(({ host, caps }) => [host, caps.minutes])).toEqual([
      ['env.example.com', 15],
      ['staging.example.com', 3],
    ]);
    await permits.withdraw(id, bob);
    expect((await permits.current()).map(({ host }) => host)).toEqual(['env.example.com']);
    const { log } = await permits.list();
    expect(log.map(({ who, what, host, note }) => [who, what, host, note]).toSorted()).toEqual([
      ['ann', 'allowed', 'staging.example.com', 'a test'],
      ['bob', 'withdrawn', 'staging.example.com', null],
    ]);
    await expect(permits.withdraw(id, bob)).rejects.toMatchObject({
      problem: { code: 'target_not_found' },
    });
  });

  test('a host that is allowed again has the new limits, once', async () => {
    const { permits } = await open();
    await permits.allow(request('10.1.2.3/16'), ann);
    await permits.allow(request('10.1.0.0/16', { connections: 9 }), bob);
    expect(await permits.current()).toMatchObject([{ host: '10.1.0.0/16', caps: { connections: 9 } }]);
  });

  test('what the environment allows cannot be withdrawn here', async () => {
    const { permits } = await open(['env.example.com']);
    const [first] = (await permits.list()).targets;
    await expect(permits.withdraw(first?.id ?? '', ann)).rejects.toMatchObject({
      problem: { code: 'target_of_environment', detail: expect.stringContaining('env.example.com') },
    });
  });

  test.each([
    ['169.254.169.254', /never allowed/],
    ['169.254.0.0/16', /link-local, which is never allowed/],
    ['64:ff9b::/96', /never allowed/],
    ['224.0.0.0/8', /multicast address, which is never allowed/],
    ['240.0.0.0/8', /never allowed/],
    ['255.0.0.0/8', /never allowed/],
    ['fe80::/32', /never allowed/],
    ['[::ffff:169.254.169.254]', /never allowed/],
    ['127.0.0.1', /always allowed/],
    ['0.0.0.0/0', /too wide/],
    ['http://x', /without scheme/],
  ])('%s is refused at the field, and nothing is logged', async (host, message) => {
    const { permits } = await open();
    await expect(permits.allow(request(host), ann)).rejects.toMatchObject({
      problem: {
        code: 'invalid_request',
        errors: [{ field: 'host', message: expect.stringMatching(message) }],
      },
    });
    expect(await permits.list()).toEqual({ targets: [], log: [] });
  });

  test('what is done on this machine, or is not allowed, is not logged', async () => {
    const { permits } = await open(['staging.test', '10.1.0.0/16']);
    const addresses = [
      'http://127.0.0.1:80',
      'https://[::1]',
      'http://localhost',
      'https://Staging.test',
      'http://10.2.0.1',
    ];
    await permits.note(ann, 'launched', [...addresses, 'https://staging.test:8443'], '/r/x');
    expect((await permits.list()).log).toMatchObject([
      { who: 'ann', what: 'launched', host: 'staging.test', note: '/r/x' },
    ]);
  });

  test('a line of the log can be neither changed nor removed', async () => {
    const { permits, database } = await open();
    await permits.noteStop(ann);
    await sql`update audit_log set who = 'bob'`.execute(database.queries).catch(() => {});
    await sql`delete from audit_log`.execute(database.queries).catch(() => {});
    expect((await permits.list()).log).toMatchObject([{ who: 'ann', what: 'stopped', host: null }]);
  });
});
