import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { ServerKey } from '../../shared/target/server-names.ts';

/**
 * X.509 certificates: of an authority (ECDSA P-256, self-signed with SHA-256), of servers with any kind of key, and of
 * clients, both signed by an authority. Source of the fields: RFC 5280, section 4.
 *
 * The library takes longer to load than a certificate takes to make, and looks for `reflect-metadata` when it is
 * loaded: import this file where a certificate is missing, not at the start of a process.
 */

/** Both are PEM: the certificate, and its private key as PKCS #8. */
export type Issued = { certificatePem: string; keyPem: string };

export type Validity = { notBefore: Date; notAfter: Date };

export async function issueAuthority(commonName: string, validity: Validity): Promise<Issued> {
  const keys = await keyPair();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: named(commonName),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, critical),
      new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, critical),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return issued(certificate, keys);
}

/** Of a program that is known by its fingerprint alone, whatever its name and address. */
export async function issueSelfSigned(commonName: string, validity: Validity): Promise<Issued> {
  const keys = await keyPair();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: named(commonName),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, critical),
      new x509.KeyUsagesExtension(usage.digitalSignature, critical),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  return issued(certificate, keys);
}

/** `hosts` are DNS names and IP addresses; the first is the common name too. */
export async function issueServer(
  hosts: readonly [string, ...string[]],
  validity: Validity,
  authority: Issued,
  key: ServerKey = 'P-256',
): Promise<Issued> {
  return issueSigned(named(hosts[0]), validity, authority, key, [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName)),
  ]);
}

/** For clients of servers that demand a certificate. */
export async function issueClient(
  commonName: string,
  validity: Validity,
  authority: Issued,
): Promise<Issued> {
  return issueSigned(named(commonName), validity, authority, 'P-256', [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
  ]);
}

async function issueSigned(
  subject: x509.Name,
  validity: Validity,
  authority: Issued,
  key: ServerKey,
  uses: readonly x509.Extension[],
): Promise<Issued> {
  const issuer = new x509.X509Certificate(authority.certificatePem);
  const keys = await keyPair(key);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject,
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await privateKeyOf(authority),
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, critical),
      new x509.KeyUsagesExtension(usageOf(key), critical),
      ...uses,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await identifierOf(issuer),
    ],
  });
  return issued(certificate, keys);
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) };
const usage = x509.KeyUsageFlags;
const critical = true;

function keyPair(key: ServerKey = 'P-256'): Promise<CryptoKeyPair> {
  const algorithm = isRsa(key) ? { ...rsa, modulusLength: Number(key.slice('RSA-'.length)) } : ecdsa;
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

function isRsa(key: ServerKey): boolean {
  return key.startsWith('RSA-');
}

/** Suites of TLS 1.2 that agree on no key of their own encrypt one for the server's RSA key. */
function usageOf(key: ServerKey): number {
  return isRsa(key) ? usage.digitalSignature | usage.keyEncipherment : usage.digitalSignature;
}

/** With the kind of string stated: the library reads quotes and a leading `#` in a plain one. */
function named(commonName: string): x509.Name {
  return new x509.Name([{ CN: [{ utf8String: commonName }] }]);
}

function alternativeName(host: string): x509.JsonGeneralName {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
}

/** Read from the issuer where it states one: there are several ways to derive it, and the two have to be equal. */
async function identifierOf(issuer: x509.X509Certificate): Promise<x509.Extension> {
  const stated = issuer.getExtension(x509.SubjectKeyIdentifierExtension);
  return stated === null
    ? x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)
    : new x509.AuthorityKeyIdentifierExtension(stated.keyId);
}

async function issued(certificate: x509.X509Certificate, { privateKey }: CryptoKeyPair): Promise<Issued> {
  const key = await crypto.subtle.exportKey('pkcs8', privateKey);
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    keyPem: `${x509.PemConverter.encode(key, x509.PemConverter.PrivateKeyTag)}\n`,
  };
}

function privateKeyOf({ keyPem }: Issued): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(keyPem), ecdsa, false, ['sign']);
}
