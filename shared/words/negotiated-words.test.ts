/** Protects how negotiated TLS is named beside results: version and cipher, whatever the suite is called, of one side or both. */
import { expect, test } from 'vitest';
import { scenarioSchema } from '../scenario/scenario.ts';
import { bodyWords, decodedWords, negotiatedWords } from './negotiated-words.ts';

test.each([
  ['TLSv1.3', 'TLS_AES_256_GCM_SHA384', 'TLS 1.3, AES-256-GCM'],
  ['TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS 1.3, ChaCha20-Poly1305'],
  ['TLSv1.3', 'TLS_AES_128_CCM_8_SHA256', 'TLS 1.3, AES-128-CCM-8'],
  ['TLSv1.2', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLS 1.2, AES-256-GCM'],
  ['TLSv1.2', 'TLS_RSA_WITH_AES_128_CBC_SHA', 'TLS 1.2, AES-128-CBC'],
  ['TLSv1', 'TLS_RSA_WITH_RC4_128_MD5', 'TLS 1.0, RC4-128'],
])('%s with %s is %s', (protocol, cipher, words) => {
  const negotiated = { protocol, cipher };
  expect(negotiatedWords({ baseline: null, comparison: negotiated })).toBe(words);
  expect(negotiatedWords({ baseline: negotiated, comparison: null })).toBe(words);
  expect(negotiatedWords({ baseline: negotiated, comparison: negotiated })).toBe(words);
});

test('without TLS there are none', () => {
  expect(negotiatedWords({ baseline: null, comparison: null })).toBeNull();
});

test('of two sides each part stands once where they agree, and from one to the other where not', () => {
  const baseline = { protocol: 'TLSv1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384' };
  const modern = { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' };
  expect(negotiatedWords({ baseline, comparison: modern })).toBe('TLS 1.2 → TLS 1.3, AES-256-GCM');
  const chacha = { ...modern, cipher: 'TLS_CHACHA20_POLY1305_SHA256' };
  expect(negotiatedWords({ baseline: modern, comparison: chacha })).toBe(
    'TLS 1.3, AES-256-GCM → ChaCha20-Poly1305',
  );
});

test.each([
  ['gzip', 21_034, 'gzip, 21 kB'],
  ['', 112_800, 'not compressed, 113 kB'],
  ['br', null, 'br'],
])('Bodies that came as “%s” with %s bytes are %s', (contentEncoding, bodyBytesPerTransaction, words) => {
  expect(bodyWords({ contentEncoding, bodyBytesPerTransaction })).toBe(words);
});

test('Decoding is said where a step reads a compressed body, and nowhere else', () => {
  const step = { name: 'Page', method: 'GET' as const, path: '/' };
  const checked = { ...step, checks: [{ type: 'body_contains' as const, text: 'x' }] };
  const words = (contentEncoding: string, ...steps: object[]) =>
    decodedWords(
      { contentEncoding, bodyBytesPerTransaction: null },
      scenarioSchema.parse({ name: 'Shop', steps }),
    );
  expect(words('gzip', step, checked)).toBe('1 of 2 steps, to check or extract: client CPU');
  expect(words('gzip', step)).toBeNull();
  expect(words('', checked)).toBeNull();
});
