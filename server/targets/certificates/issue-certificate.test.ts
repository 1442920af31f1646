/** Protects the certificates that are issued: what they may be used for, for whom, and how long. */
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { expect, test } from 'vitest';
import { type Issued, issueAuthority, issueServer } from './issue-certificate.ts';

const validity = { notBefore: new Date('2026-01-02T03:04:05Z'), notAfter: new Date('2050-12-31T23:59:59Z') };
const read = ({ certificatePem }: Issued) => new X509Certificate(certificatePem);

test('A validity past 2049 is kept to the second', async () => {
  const { validFromDate, validToDate } = read(await issueAuthority('Test authority', validity));
  expect({ notBefore: validFromDate, notAfter: validToDate }).toEqual(validity);
});

test('The authority signs certificates, but no other authority', async () => {
  const { certificatePem } = await issueAuthority('Test authority', validity);
  const authority = new x509.X509Certificate(certificatePem);
  expect(authority.getExtension(x509.BasicConstraintsExtension)).toMatchObject({
    ca: true,
    pathLength: 0,
    critical: true,
  });
  expect(authority.getExtension(x509.KeyUsagesExtension)).toMatchObject({
    usages: x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
    critical: true,
  });
});

test('A server certificate is for servers only, under every host given', async () => {
  const hosts = ['shop.test', '192.0.2.1', '2001:db8::7:0:1'] as const;
  const server = read(await issueServer(hosts, validity, await issueAuthority('Test authority', validity)));
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(server.subject).toBe('CN=shop.test');
  expect(server.subjectAltName).toBe('DNS:shop.test, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:7:0:1');
});

test.for(['#1 "Testers", Zürich', 'CN=one+CN=two'])(
  'The name %s reaches the certificates whole',
  async (name) => {
    const authority = await issueAuthority(name, validity);
    const server = new x509.X509Certificate(
      (await issueServer(['a.test'], validity, authority)).certificatePem,
    );
    expect(server.issuerName.getField('CN')).toEqual([name]);
    expect(read({ ...authority, certificatePem: server.toString('pem') }).checkIssued(read(authority))).toBe(
      true,
    );
  },
);

test.for([
  ['that derives its key identifier in another way', [new x509.SubjectKeyIdentifierExtension('c0ffee')]],
  ['without a key identifier', []],
] as const)('A server certificate names the key of an authority %s', async ([, extensions]) => {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const self = { ...validity, name: 'CN=Elsewhere', keys, extensions: [...extensions] };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(self);
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const authority = {
    certificatePem: certificate.toString('pem'),
    keyPem: x509.PemConverter.encode(key, x509.PemConverter.PrivateKeyTag),
  };
  expect(read(await issueServer(['a.test'], validity, authority)).checkIssued(read(authority))).toBe(true);
});
