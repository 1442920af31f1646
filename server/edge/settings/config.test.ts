/** Protects the environment: defaults, every variable, and a problem that names what is wrong. */
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const defaults = {
  host: '127.0.0.1',
  port: 7300,
  dataDirectory: resolve('data'),
  databaseUrl: null,
  storefrontDatabaseUrl: null,
  chromiumPath: null,
  libraries: {},
  targets: [],
  tls: null,
  keep: null,
  runner: { measures: true, labels: {} },
  generators: null,
  pods: null,
  team: null,
  metrics: false,
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
      TLS_TOLL_SIGN_IN: 'on',
      TLS_TOLL_LINKS: 'closed',
      TLS_TOLL_URL: 'https://toll.example.com',
      TRUST_PROXY: '1',
      PORT: '0',
      TLS_TOLL_DATA: '/var/lib/toll',
      DATABASE_URL: 'postgres://db/runs',
      STOREFRONT_DATABASE_URL: 'postgresql://db/shop',
      CHROMIUM_PATH: '/usr/bin/chromium',
      TLS_TOLL_LIBSSL: 'old=/opt/openssl-3.0/lib, openssl-3.5.0=/opt/a=b,',
      TLS_TOLL_TARGETS: 'Staging.example.com., 10.1.2.3/16,',
      TLS_CERT: 'cert.pem',
      TLS_KEY: 'key.pem',
      TLS_TOLL_KEEP: '90d,1000',
      TLS_TOLL_METRICS: 'on',
      TLS_TOLL_RUNNER: 'off',
      TLS_TOLL_LABELS: 'site=fra, cpu=arm',
      TLS_TOLL_GENERATORS: 'toll.example.com:7310',
      TLS_TOLL_GENERATORS_LISTEN: '[::]:7311',
      TLS_TOLL_PODS: 'registry.example.com/tls-toll:0.1.0',
      TLS_TOLL_PODS_MOST: '3',
      LOG_LEVEL: 'debug',
    }),
  ).toEqual({
    host: '::1',
    port: 0,
    dataDirectory: '/var/lib/toll',
    databaseUrl: 'postgres://db/runs',
    storefrontDatabaseUrl: 'postgresql://db/shop',
    chromiumPath: '/usr/bin/chromium',
    libraries: { old: '/opt/openssl-3.0/lib', 'openssl-3.5.0': '/opt/a=b' },
    targets: ['staging.example.com', '10.1.0.0/16'],
    tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
    keep: { days: 90, count: 1000 },
    runner: { measures: false, labels: { site: 'fra', cpu: 'arm' } },
    generators: { at: { host: 'toll.example.com', port: 7310 }, listen: { host: '::', port: 7311 } },
    pods: { image: 'registry.example.com/tls-toll:0.1.0', most: 3 },
    team: { linksOpen: false, url: new URL('https://toll.example.com'), proxies: 1, oidc: null },
    metrics: true,
    logLevel: 'debug',
  });
});

test.each([
  ['PORT', '-1'],
  ['TLS_TOLL_KEEP', 'ninety days'],
  ['TLS_TOLL_KEEP', '0'],
  ['TLS_TOLL_KEEP', '90d,0'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['PORT', '1e3'],
  ['PORT', ' '],
  ['PORT', 'http'],
  ['TLS_TOLL_GENERATORS', 'toll.example.com'],
  ['TLS_TOLL_PODS_MOST', '17'],
  ['TLS_TOLL_GENERATORS', 'toll.example.com:99999'],
  ['TLS_TOLL_GENERATORS', 'http://toll.example.com:7310'],
  ['LOG_LEVEL', 'loud'],
  ['TLS_TOLL_SIGN_IN', 'yes'],
  ['TLS_TOLL_LINKS', 'public'],
  ['TLS_TOLL_METRICS', '1'],
  ['TLS_TOLL_URL', 'toll.example.com'],
  ['TLS_TOLL_URL', 'ftp://toll.example.com'],
  ['TLS_TOLL_OIDC_ISSUER', 'id.example.com'],
  ['TLS_TOLL_RUNNER', 'no'],
  ['TLS_TOLL_LABELS', 'site'],
  ['TLS_TOLL_LABELS', 'Site=fra'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10'],
  ['DATABASE_URL', 'mysql://db/runs'],
  ['STOREFRONT_DATABASE_URL', '/var/run/db'],
  ['TLS_TOLL_TARGETS', 'staging.example.com,http://x'],
  ['TLS_TOLL_LIBSSL', '/opt/openssl/lib'],
  ['TLS_TOLL_LIBSSL', 'new=lib'],
  ['TLS_TOLL_LIBSSL', 'a/b=/opt/lib'],
  ['TLS_TOLL_LIBSSL', 'new=/opt/a,new=/opt/b'],
])('%s=%j is refused, and the variable is named with what would be right', (name, value) => {
  const rejection = expect.objectContaining({
    problem: expect.objectContaining({
      code: 'invalid_environment',
      errors: [{ field: name, message: expect.any(String) }],
    }),
  });
  expect(() => readConfig({ [name]: value })).toThrow(rejection);
});

const signInNeeded = expect.objectContaining({
  problem: expect.objectContaining({ code: 'sign_in_needed', advice: expect.stringContaining('users add') }),
});

test.each(['0.0.0.0', '::', '192.168.1.4', 'toll.example.com', '127.0.0.1.example.com', '127.example.com'])(
  'HOST=%s, which others may reach, needs sign-in and HTTPS',
  (HOST) => {
    expect(() => readConfig({ HOST })).toThrow(signInNeeded);
    const signedIn = { HOST, TLS_TOLL_SIGN_IN: 'on' };
    expect(() => readConfig(signedIn)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'tls_needed' }) }),
    );
    for (const how of [{ TRUST_PROXY: '1' }, { TLS_TOLL_PLAIN: 'allowed' }, { TLS_CERT: 'c', TLS_KEY: 'k' }])
      expect(readConfig({ ...signedIn, ...how }).host).toBe(HOST);
  },
);

test.each([
  ['TLS_CERT', 'TLS_KEY'],
  ['TLS_KEY', 'TLS_CERT'],
])('%s alone is refused, naming %s', (one, other) => {
  const rejection = {
    problem: expect.objectContaining({ errors: [{ field: other, message: expect.any(String) }] }),
  };
  expect(() => readConfig({ [one]: 'file.pem' })).toThrow(expect.objectContaining(rejection));
});

describe('an identity provider', () => {
  const whole = {
    TLS_TOLL_SIGN_IN: 'on',
    TLS_TOLL_URL: 'https://toll.example.com',
    TLS_TOLL_OIDC_ISSUER: 'https://id.example.com/team',
    TLS_TOLL_OIDC_CLIENT_ID: 'toll',
    TLS_TOLL_OIDC_CLIENT_SECRET_FILE: 'oidc.secret',
  };
  const naming = (field: string) =>
    expect.objectContaining({
      problem: expect.objectContaining({ errors: [{ field, message: expect.any(String) }] }),
    });

  test('is read whole', () => {
    expect(readConfig({ ...whole, TLS_TOLL_OIDC_NAME: 'Acme' }).team?.oidc).toEqual({
      ...{ issuer: new URL('https://id.example.com/team'), clientId: 'toll' },
      ...{ clientSecretFile: 'oidc.secret', name: 'Acme' },
    });
  });

  test.each(Object.keys(whole).filter((name) => name !== 'TLS_TOLL_SIGN_IN'))(
    'without %s is refused, naming it',
    (name) => {
      expect(() => readConfig({ ...whole, [name]: '' })).toThrow(naming(name));
    },
  );

  test('may speak plain HTTP on this machine only', () => {
    const at = (TLS_TOLL_OIDC_ISSUER: string) => () => readConfig({ ...whole, TLS_TOLL_OIDC_ISSUER });
    expect(at('http://id.example.com')).toThrow(naming('TLS_TOLL_OIDC_ISSUER'));
    expect(at('http://127.0.0.1:8080')().team?.oidc?.issuer.port).toBe('8080');
    expect(at('http://[::1]:8080')().team?.oidc?.issuer.port).toBe('8080');
  });
});

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('HOST=%s needs no sign-in', (HOST) => {
  expect(readConfig({ HOST }).team).toBeNull();
});
