import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { ServerKey } from '../../../shared/target/server-options.ts';

/**
 * X.509 certificates: of an authority (self-signed), of servers with any kind of key, and of clients, both signed by an
 * authority; and chains whose keys are all of one kind. Source of the fields: RFC 5280, section 4.
 *
 * The library takes longer to load than a certificate takes to make, and looks for `reflect-metadata` when it is
 * loaded: import this file where a certificate is missing, not at the start of a process.
 */

/** Both are PEM: the certificate, and its private key as PKCS #8. */
export type Issued = { certificatePem: string; keyPem: string };

type Validity = { notBefore: Date; notAfter: Date };

const dayMs = 24 * 60 * 60 * 1000;

/** Starts a day ago, for a client whose clock is behind. */
export function validFor(days: number): Validity {
  const now = Date.now();
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) };
}

/** @param below how many authorities may stand between it and a server */
export async function issueAuthority(
  commonName: string,
  validity: Validity,
  key: ServerKey = 'P-256',
  below = 0,
): Promise<Issued> {
  return issueOwn(commonName, validity, key, async (keys) => [
    ...authorityExtensions(below),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
  ]);
}

/** Issues the certificate of a program that is known by its fingerprint alone, regardless of its name and address. */
export async function issueSelfSigned(commonName: string, validity: Validity): Promise<Issued> {
  return issueOwn(commonName, validity, 'P-256', async () => [
    ...leafExtensions('P-256'),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
  ]);
}

async function issueOwn(
  commonName: string,
  validity: Validity,
  key: ServerKey,
  extensionsOf: (keys: CryptoKeyPair) => Promise<x509.Extension[]>,
): Promise<Issued> {
  const keys = await keyPair(key);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: named(commonName),
    keys,
    signingAlgorithm: algorithmOf(key),
    extensions: await extensionsOf(keys),
  });
  return issued(certificate, keys);
}

/** `hosts` are DNS names and IP addresses; the first is the common name too. */
export async function issueServer(
  hosts: readonly [string, ...string[]],
  validity: Validity,
  authority: Issued,
  key: ServerKey = 'P-256',
  authorityKey: ServerKey = 'P-256',
): Promise<Issued> {
  const signer = { ...authority, key: authorityKey };
  return issueSigned(named(hosts[0]), validity, signer, key, [
    ...leafExtensions(key),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName)),
  ]);
}

/** A server's certificate with the authorities between it and a root of their own, all with one kind of key. */
export async function issueChain(
  hosts: readonly [string, ...string[]],
  validity: Validity,
  key: ServerKey,
  intermediates: number,
): Promise<Issued & { intermediatePems: string[]; rootPem: string }> {
  const root = await issueAuthority(`TLS Toll ${key} root`, validity, key, intermediates);
  let authority = root;
  const intermediatePems: string[] = [];
  for (let below = intermediates - 1; below >= 0; below--) {
    const name = named(`TLS Toll ${key} intermediate ${intermediates - below}`);
    authority = await issueSigned(name, validity, { ...authority, key }, key, authorityExtensions(below));
    // A server sends the one that signed its own certificate first.
    intermediatePems.unshift(authority.certificatePem);
  }
  const server = await issueServer(hosts, validity, authority, key, key);
  return { ...server, intermediatePems, rootPem: root.certificatePem };
}

/** For clients of servers that demand a certificate. */
export async function issueClient(
  commonName: string,
  validity: Validity,
  authority: Issued,
): Promise<Issued> {
  return issueSigned(named(commonName), validity, { ...authority, key: 'P-256' }, 'P-256', [
    ...leafExtensions('P-256'),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
  ]);
}

async function issueSigned(
  subject: x509.Name,
  validity: Validity,
  authority: Issued & { key: ServerKey },
  key: ServerKey,
  extensions: readonly x509.Extension[],
): Promise<Issued> {
  const issuer = new x509.X509Certificate(authority.certificatePem);
  const keys = await keyPair(key);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject,
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await privateKeyOf(authority),
    signingAlgorithm: algorithmOf(authority.key),
    extensions: [
      ...extensions,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await identifierOf(issuer),
    ],
  });
  return issued(certificate, keys);
}

function authorityExtensions(below: number): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, below, critical),
    new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, critical),
  ];
}

function leafExtensions(key: ServerKey): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(false, undefined, critical),
    new x509.KeyUsagesExtension(usageOf(key), critical),
  ];
}

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) };
const usage = x509.KeyUsageFlags;
const critical = true;

function keyPair(key: ServerKey): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithmOf(key), true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

/** To make a key, and to sign with one. */
function algorithmOf(key: ServerKey) {
  if (isRsa(key)) return { ...rsa, modulusLength: Number(key.slice('RSA-'.length)) };
  if (key === 'P-256' || key === 'P-384') {
    return { name: 'ECDSA', namedCurve: key, hash: key === 'P-256' ? 'SHA-256' : 'SHA-384' };
  }
  return { name: key };
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

function privateKeyOf({ keyPem, key }: Issued & { key: ServerKey }): Promise<CryptoKey> {
  const pkcs8 = x509.PemConverter.decodeFirst(keyPem);
  return crypto.subtle.importKey('pkcs8', pkcs8, algorithmOf(key), false, ['sign']);
}
