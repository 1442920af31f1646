/** Protects the browser from certificates that do not verify: only then is their key trusted. */
import { createHash, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueAuthority, issueServer } from '../../targets/certificates/issue-certificate.ts';
import { type Origin, serveOrigin } from '../../testing/origin-under-test.ts';
import { readTrustedKey } from './launch-chromium.ts';

const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 86_400_000) };
const authority = await issueAuthority('Authority under test', validity);
const stranger = await issueAuthority('Another authority', validity);
const identity = await issueServer(['shop.test', '127.0.0.1'], validity, authority);
const never = new AbortController().signal;
let origin: Origin;

beforeAll(async () => {
  origin = await serveOrigin('shop.test', { cert: identity.certificatePem, key: identity.keyPem });
});
afterAll(() => origin.close());

test('the key of a certificate that verifies is the hash of its SPKI', async () => {
  const { publicKey } = new X509Certificate(identity.certificatePem);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const expected = createHash('sha256').update(spki).digest('base64');
  expect(await readTrustedKey(origin.listener, authority.certificatePem, never)).toBe(expected);
  const byAddress = { ...origin.listener, hostname: '127.0.0.1' };
  expect(await readTrustedKey(byAddress, authority.certificatePem, never)).toBe(expected);
});

test('a certificate of another authority is not trusted', async () => {
  await expect(readTrustedKey(origin.listener, stranger.certificatePem, never)).rejects.toThrow(
    /unable to verify/,
  );
});

test('the certificate that is trusted by its fingerprint needs no authority and no name, and is the only one', async () => {
  const trust = new X509Certificate(identity.certificatePem).fingerprint256;
  const misnamed = { ...origin.listener, hostname: 'bank.test', trust };
  const key = await readTrustedKey(origin.listener, authority.certificatePem, never);
  expect(await readTrustedKey(misnamed, null, never)).toBe(key);
  const other = new X509Certificate(stranger.certificatePem).fingerprint256;
  await expect(readTrustedKey({ ...misnamed, trust: other }, null, never)).rejects.toThrow(
    /not the certificate that is trusted/,
  );
});

test('a certificate for another name is not trusted', async () => {
  const misnamed = { ...origin.listener, hostname: 'bank.test' };
  await expect(readTrustedKey(misnamed, authority.certificatePem, never)).rejects.toThrow(/bank\.test/);
});

test('a listener that never shakes hands is waited for until the signal says stop', async () => {
  const silent = createServer();
  const connected = new Promise<void>((resolve) => silent.once('connection', () => resolve()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const stop = new AbortController();
  const { port } = silent.address() as AddressInfo;
  const key = readTrustedKey({ ...origin.listener, port }, authority.certificatePem, stop.signal);
  await connected;
  stop.abort(new Error('enough'));
  await expect(key).rejects.toThrow('enough');
  silent.close();
});
