/** Protects the key of the command line from standing in an error message, and from traveling unencrypted. */
import { expect, test } from 'vitest';
import { findDashboard } from './api-client.ts';

const key = `tt_${'k'.repeat(43)}`;
const find = (given: string) =>
  findDashboard({ TLS_TOLL_SERVER: 'https://toll.test/runs', TLS_TOLL_KEY: given });

test('a key is sent without the line break that a file ends with', async () => {
  expect(await find(`${key}\r\n`)).toEqual({ url: 'https://toll.test', key });
});

test.each([`${key}\n${key}`, `key: ${key}`, `${key}\u201d`])(
  '%j is refused without being named',
  async (given) => {
    const refused = await find(given).catch((error: unknown) => error);
    expect(refused).toMatchObject({ problem: { code: 'invalid_environment' } });
    expect(String(refused)).not.toContain(key);
  },
);

test('a key goes unencrypted to this machine only, unless the network is trusted', async () => {
  const plain = (server: string, environment: NodeJS.ProcessEnv = {}) =>
    findDashboard({ TLS_TOLL_SERVER: server, TLS_TOLL_KEY: key, ...environment });
  await expect(plain('http://toll.test')).rejects.toMatchObject({
    problem: { code: 'invalid_environment', detail: expect.stringContaining('toll.test unencrypted') },
  });
  expect(await plain('http://toll.test', { TLS_TOLL_PLAIN: 'allowed' })).toMatchObject({ key });
  expect(await plain('http://[::1]:7300')).toMatchObject({ key });
  expect(await plain('http://toll.test', { TLS_TOLL_KEY: '' })).toMatchObject({ key: null });
});
