/** Protects the environment: defaults, every variable, and a named refusal of what is wrong. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const defaults = {
  host: '127.0.0.1',
  port: 7300,
  dataDirectory: resolve('data'),
  databaseUrl: null,
  storefrontDatabaseUrl: null,
  chromiumPath: null,
  targets: [],
  logLevel: 'warn',
};

test('an environment that says nothing gives the defaults', () => {
  expect(readConfig({ PATH: '/bin' })).toEqual(defaults);
});

test('a variable that is empty is one that is not set', () => {
  const names = ['HOST', 'PORT', 'TLS_TOLL_DATA', 'DATABASE_URL', 'CHROMIUM_PATH', 'LOG_LEVEL'];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults);
});

test('each variable is read', () => {
  expect(
    readConfig({
      HOST: '::1',
      PORT: '0',
      TLS_TOLL_DATA: '/var/lib/toll',
      DATABASE_URL: 'postgres://db/runs',
      STOREFRONT_DATABASE_URL: 'postgresql://db/shop',
      CHROMIUM_PATH: '/usr/bin/chromium',
      TLS_TOLL_TARGETS: 'Staging.example.com., 10.1.2.3/16,',
      LOG_LEVEL: 'debug',
    }),
  ).toEqual({
    host: '::1',
    port: 0,
    dataDirectory: '/var/lib/toll',
    databaseUrl: 'postgres://db/runs',
    storefrontDatabaseUrl: 'postgresql://db/shop',
    chromiumPath: '/usr/bin/chromium',
    targets: ['staging.example.com', '10.1.0.0/16'],
    logLevel: 'debug',
  });
});

test.each([
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['PORT', ' '],
  ['PORT', 'http'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://db/runs'],
  ['STOREFRONT_DATABASE_URL', '/var/run/db'],
  ['TLS_TOLL_TARGETS', 'staging.example.com,http://x'],
])('%s=%j is refused, and the variable is named with what would be right', (name, value) => {
  const refusal = expect.objectContaining({
    problem: expect.objectContaining({
      code: 'invalid_environment',
      errors: [{ field: name, message: expect.any(String) }],
    }),
  });
  expect(() => readConfig({ [name]: value })).toThrow(refusal);
});
