/** Protects runs with short keys: both ends accept them, and all other runs keep OpenSSL's own level. */
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import { expect, test } from 'vitest';
import { ciphersFor } from './cipher-list.ts';

test('Without a suite and with a key of usual length nothing is asked for', () => {
  expect(ciphersFor({ cipher: null, version: 'TLSv1.3' }, false, DEFAULT_CIPHERS)).toEqual({});
  expect(ciphersFor({ cipher: 'AES128-SHA', version: 'TLSv1.2' }, false, DEFAULT_CIPHERS)).toEqual({
    ciphers: 'AES128-SHA',
  });
});

test.each([
  [null, 'TLSv1.3'],
  [null, 'TLSv1.2'],
  ['TLS_AES_128_GCM_SHA256', 'TLSv1.3'],
  ['AES128-SHA', 'TLSv1.2'],
] as const)(
  'A short key lowers the level with the suite %s of %s, and OpenSSL can read the list',
  (cipher, version) => {
    const options = ciphersFor({ cipher, version }, true, DEFAULT_CIPHERS);
    expect(options.ciphers).toMatch(/@SECLEVEL=0$/);
    expect(() => createSecureContext({ ...options, minVersion: version, maxVersion: version })).not.toThrow();
  },
);
