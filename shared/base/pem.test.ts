/** Protects private keys that stand in the file of a certificate: none gets through, however the file was put together. */
import { generateKeyPairSync, type KeyExportOptions } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sampleCertificate as certificate } from '../testing/sample-certificate.ts';
import { certificatesIn, holdsPrivateKey, privateKeysIn, withoutPrivateKeys } from './pem.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const locked = { cipher: 'aes-256-cbc', passphrase: 'x' } as const;
const keyOf = (key: typeof rsa, more: Partial<KeyExportOptions<'pem'>>) =>
  String(key.export({ type: 'pkcs8', format: 'pem', ...more } as KeyExportOptions<'pem'>));
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

describe.each([
  ['PKCS #8', keyOf(rsa, {})],
  ['PKCS #1', keyOf(rsa, { type: 'pkcs1' })],
  ['SEC 1', keyOf(ec, { type: 'sec1' })],
  ['encrypted PKCS #8', keyOf(rsa, locked)],
  ['encrypted PKCS #1', keyOf(rsa, { type: 'pkcs1', ...locked })],
  ['OpenSSH', keyOf(rsa, {}).replaceAll('PRIVATE', 'OPENSSH PRIVATE')],
])('a key in %s', (_, key) => {
  const inner = key
    .split('\n')
    .filter((line) => !/[-:]/.test(line))
    .join('\n');
  const under = (label: string, body: string) =>
    `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;

  test.each([
    ['before', key + certificate, 1],
    ['after', certificate + key, 1],
    ['between', certificate + key + certificate, 2],
    ['behind its parameters', parameters + key + certificate, 1],
    ['with attributes', `Bag Attributes\n  friendlyName: x\n${key}subject=/CN=x\n${certificate}`, 1],
    ['with other ends of lines', (key + certificate).replaceAll('\n', '\r\n'), 1],
    ['indented', (key + certificate).replaceAll('\n', '\n    '), 1],
    ['inside a certificate', under('CERTIFICATE', key) + certificate, 1],
    ['as a certificate', under('CERTIFICATE', inner) + certificate, 1],
    ['behind the end of a certificate', certificate.replace('\n-----END', `\n${inner}\n-----END`), 0],
    ['behind a certificate that is cut off', certificate.slice(0, 40) + key + certificate, 1],
    ['alone', key, 0],
    ['beside what OpenSSL trusts', under('TRUSTED CERTIFICATE', 'MAcwAwIBADAA') + key, 0],
    ['beside a certificate of old', under('X509 CERTIFICATE', 'MAcwAwIBADAA') + key, 0],
  ])('%s leaves the certificates alone', (_where, pem, count) => {
    expect(certificatesIn(pem)).toEqual(Array(count).fill(certificate));
  });

  test('is found whole, and cut out of texts and of JSON in JSON', () => {
    const [found] = privateKeysIn(certificate + key);
    expect(`${found}\n`).toBe(key);
    expect(withoutPrivateKeys(`a "${key}" b`)).toBe('a "\n" b');
    expect(withoutPrivateKeys(`a ${key.toLowerCase()}b`)).toBe('a \nb');
    const deep = JSON.stringify({ body: JSON.stringify({ key, after: 1 }) });
    expect(JSON.parse(JSON.parse(withoutPrivateKeys(deep)).body)).toEqual({ key: '\n', after: 1 });
  });

  test('that is cut off is cut up to the next block or the end of its text', () => {
    const start = key.slice(0, 200);
    expect(withoutPrivateKeys(start + certificate)).toBe(certificate);
    const text = JSON.stringify({ a: `${start}"\\`, b: JSON.stringify(start), c: start });
    expect(JSON.parse(withoutPrivateKeys(text))).toEqual({ a: '"\\', b: '""', c: '' });
  });

  test('is seen as it is, in a form, in an address, and as Base64', () => {
    const spelled = [key, new URLSearchParams({ key }).toString(), encodeURIComponent(key)];
    const packed = ['', 'x', 'xx'].map((before) => btoa(before + key));
    expect([...spelled, ...packed].map(holdsPrivateKey)).toEqual(Array(6).fill(true));
    expect(holdsPrivateKey(certificate + parameters)).toBe(false);
  });
});
