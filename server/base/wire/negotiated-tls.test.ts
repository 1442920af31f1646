/** Protects what a client offers: nothing is narrowed that nobody asked for, and both ends accept short keys. */
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import { expect, test } from 'vitest';
import { defaultTlsProfile, type TlsVersion } from '../../../shared/base/tls-profile.ts';
import { offerOf, versionFor } from './negotiated-tls.ts';

const nothing = defaultTlsProfile;

test('Where nothing is asked for both versions are offered, with the suites and groups of the library', () => {
  expect(offerOf(nothing, false, DEFAULT_CIPHERS)).toEqual({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' });
});

test('What is asked for is the only one that is offered', () => {
  expect(offerOf({ ...nothing, version: 'TLSv1.2', cipher: 'AES128-SHA' }, false, DEFAULT_CIPHERS)).toEqual({
    ...{ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' },
  });
  expect(offerOf({ ...nothing, version: 'TLSv1.3', group: 'X25519' }, false, DEFAULT_CIPHERS)).toEqual({
    ...{ minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', ecdhCurve: 'X25519' },
  });
  expect(offerOf({ ...nothing, certificateCompression: 'zstd' }, false, DEFAULT_CIPHERS)).toEqual({
    ...{ minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', certificateCompression: ['zstd'] },
  });
});

test('A group that is asked for is the only one of TLS 1.3, and has P-256 beside it for certificates of TLS 1.2', () => {
  const curveOf = (version: TlsVersion | null) =>
    offerOf({ ...nothing, version, group: 'P-384' }, false, DEFAULT_CIPHERS).ecdhCurve;
  expect([curveOf(null), curveOf('TLSv1.3'), curveOf('TLSv1.2')]).toEqual(['P-384', 'P-384', 'P-384:P-256']);
});

test.each([
  [{ ...nothing, cipher: 'TLS_AES_128_GCM_SHA256' }, 'TLSv1.3'],
  [{ ...nothing, cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, 'TLSv1.2'],
  [{ ...nothing, cipher: 'AES128-SHA' }, 'TLSv1.2'],
  [{ ...nothing, group: 'X25519MLKEM768' }, 'TLSv1.3'],
  [{ ...nothing, certificateCompression: 'zlib' }, 'TLSv1.3'],
  [{ ...nothing, group: 'X25519' }, null],
] as const)('What only one version has stands for that version: %o', (asked, version) => {
  expect(versionFor(asked)).toBe(version);
});

test.each([
  [null, null],
  [null, 'TLSv1.3'],
  [null, 'TLSv1.2'],
  ['TLS_AES_128_GCM_SHA256', null],
  ['TLS_AES_128_GCM_SHA256', 'TLSv1.3'],
  ['AES128-SHA', 'TLSv1.2'],
] as const)(
  'A short key lowers the level with the suite %s of %s, and OpenSSL can read the list',
  (cipher, version) => {
    const options = offerOf({ ...nothing, version, cipher }, true, DEFAULT_CIPHERS);
    expect(options.ciphers).toMatch(/@SECLEVEL=0$/);
    expect(() => createSecureContext(options)).not.toThrow();
  },
);
