/** Protects the storefront’s authority: one per directory, private, renewed, and replaced when damaged. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serverKeys } from '../../../shared/target/server-options.ts';
import { keyOf } from '../../base/wire/negotiated-tls.ts';
import { openAuthority, openChain, openClientIdentity } from './certificate-authority.ts';
import { issueAuthority, issueServer } from './issue-certificate.ts';

const printed: Record<string, string> = {
  ...{ 'P-256': 'EC P-256', 'P-384': 'EC P-384', 'RSA-1024': 'RSA 1024', 'RSA-2048': 'RSA 2048' },
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-toll-authority-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('The server certificate is signed by the authority and names the host and the loopback addresses', async () => {
  const { caPem, certPem, hostname } = await openAuthority(directory);
  const ca = new X509Certificate(caPem);
  const server = new X509Certificate(certPem);
  expect(ca.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkIssued(ca)).toBe(true);
  expect(server.verify(ca.publicKey)).toBe(true);
  expect(server.checkHost(hostname)).toBe('storefront.tls-toll.test');
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkIP('::1')).toBe('::1');
  expect(server.checkHost('example.com')).toBeUndefined();
  expect(server.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('A second start reads what the first one made', async () => {
  const first = await openAuthority(directory);
  expect(await openAuthority(directory)).toEqual(first);
});

test('Two starts at once get the same authority', async () => {
  const [one, other] = await Promise.all([openAuthority(directory), openAuthority(directory)]);
  expect(one).toEqual(other);
  expect(await openAuthority(directory)).toEqual(one);
});

test.each(serverKeys.filter((key) => key !== 'RSA-4096'))(
  'All keys of a chain are of the kind %s',
  async (key) => {
    const { certPem, caPem, keyPem } = await openChain(directory, key, 2);
    const sent = certPem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
    const chain = [...sent, caPem].map((pem) => new X509Certificate(pem));
    expect(chain).toHaveLength(4);
    for (const [index, certificate] of chain.entries()) {
      expect(keyOf(certificate)).toBe(printed[key] ?? key);
      const signer = chain[index + 1] ?? certificate;
      expect(certificate.checkIssued(signer) && certificate.verify(signer.publicKey)).toBe(true);
      expect(certificate.ca).toBe(index > 0);
    }
    expect(chain[0]?.checkPrivateKey(createPrivateKey(keyPem))).toBe(true);
  },
);

test('A chain is made once, and anew where it has another length', async () => {
  const [one, again] = await Promise.all([
    openChain(directory, 'RSA-1024', 1),
    openChain(directory, 'RSA-1024', 1),
  ]);
  expect(again).toEqual(one);
  expect(await openChain(directory, 'RSA-1024', 1)).toEqual(one);
  const bare = await openChain(directory, 'RSA-1024', 0);
  expect(bare.certPem.length).toBeLessThan(one.certPem.length);
  expect(await openChain(directory, 'P-256', 0)).toEqual(await openAuthority(directory));
});

test('Clients have a certificate of the same authority, for clients only, made once', async () => {
  const { caPem } = await openAuthority(directory);
  const identity = await openClientIdentity(directory);
  const certificate = new X509Certificate(identity);
  expect(certificate.checkIssued(new X509Certificate(caPem))).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(identity))).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(await openClientIdentity(directory)).toBe(identity);
});

test('Only the owner can read the files, even if they were open before', async () => {
  await openAuthority(directory);
  expect((await readdir(directory)).sort()).toEqual(['ca.key', 'ca.pem', 'server.key', 'server.pem']);
  await chmod(directory, 0o755);
  await chmod(join(directory, 'ca.key'), 0o644);
  await openAuthority(directory);
  expect(await modeOf(directory)).toBe(0o700);
  for (const name of await readdir(directory)) expect(await modeOf(join(directory, name))).toBe(0o600);
});

test('A server certificate that ends within 30 days is renewed by the same authority', async () => {
  const before = await openAuthority(directory);
  const authority = {
    certificatePem: before.caPem,
    keyPem: await readFile(join(directory, 'ca.key'), 'utf8'),
  };
  const hosts = ['storefront.tls-toll.test', 'localhost', '127.0.0.1', '::1'] as const;
  const old = await issueServer(hosts, { notBefore: inDays(-300), notAfter: inDays(29) }, authority);
  await writeFile(join(directory, 'server.pem'), old.certificatePem);
  await writeFile(join(directory, 'server.key'), old.keyPem);

  const after = await openAuthority(directory);
  expect(after.caPem).toBe(before.caPem);
  expect(after.certPem).not.toBe(old.certificatePem);
  expect(Date.parse(new X509Certificate(after.certPem).validTo)).toBeGreaterThan(inDays(300).getTime());
});

test('A server certificate of another authority is replaced', async () => {
  const before = await openAuthority(directory);
  const validity = { notBefore: inDays(-1), notAfter: inDays(3000) };
  const other = await issueAuthority('TLS Toll local authority', validity);
  await writeFile(join(directory, 'ca.pem'), other.certificatePem);
  await writeFile(join(directory, 'ca.key'), other.keyPem);

  const after = await openAuthority(directory);
  expect(after.caPem).toBe(other.certificatePem);
  expect(after.certPem).not.toBe(before.certPem);
  expect(new X509Certificate(after.certPem).verify(new X509Certificate(after.caPem).publicKey)).toBe(true);
});

test.for(['ca.pem', 'ca.key', 'server.pem', 'server.key'])(
  'A damaged %s is replaced by a sound set',
  async (name) => {
    await openAuthority(directory);
    await writeFile(join(directory, name), '-----BEGIN CERTIFICATE-----\nnonsense\n');
    const { caPem, certPem } = await openAuthority(directory);
    expect(new X509Certificate(certPem).verify(new X509Certificate(caPem).publicKey)).toBe(true);
    expect(await openAuthority(directory)).toMatchObject({ caPem, certPem });
  },
);

test('A directory that cannot be made is reported as such', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  await expect(openAuthority(join(file, 'authority'))).rejects.toMatchObject({
    problem: { code: 'data_directory_unusable' },
  });
});
