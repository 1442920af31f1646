import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { promisify } from 'node:util';
import {
  describeSuite,
  type KeyName,
  legacyKeys,
  legacyVersions,
} from '../../../shared/base/cipher-suites.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type {
  Certificates,
  HandshakeCell,
  Samples,
  Turn,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { ffdheParameters } from './handshake-lab.ts';
import { type Call, type Contexts, connectOnce, type Observed, observe } from './observe.ts';
import { connectPlain, timeEach } from './plain-pair.ts';

/** The few forms of DER that a certificate needs. Source: ITU-T X.690, sections 8 and 10. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(body.length)), body]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(tags.sequence, ...parts);
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

/** `1.2.840.10045.4.3.2`, its first two numbers in one byte, the others in sevens of bits. */
function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(tags.objectIdentifier, Uint8Array.of(first * 40 + second, ...rest.flatMap(sevens)));
}

function sevens(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
}

/** Both PEM. */
type Identity = { cert: string; key: string };

/**
 * A key and its certificate with those of the authorities above it, the smallest that every client reads: one name each. The last one
 * signs itself. Written here so that those of all keys differ in their key and signature alone, and a process that measures loads no
 * library for it. Sources: RFC 5280 section 4.1; RFC 9881 for ML-DSA.
 */
export async function issueCertificate(key: KeyName, intermediates = 0): Promise<Identity> {
  const { generate } = kinds[key];
  const keys = await Promise.all(Array.from({ length: intermediates + 1 }, () => generate()));
  const [own] = keys as [KeyPair];
  const certificates = keys.map((pair, index) => {
    const issuer = Math.min(index + 1, intermediates);
    const body = { publicKey: pair.publicKey, subject: nameOf(index), issuer: nameOf(issuer) };
    return signedBy(keys[issuer] as KeyPair, key, { ...body, isAuthority: index > 0 });
  });
  return {
    cert: certificates.map(pem).join(''),
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function signedBy({ privateKey }: KeyPair, key: KeyName, about: Body): Buffer {
  const { algorithm, digest, signatureBytes } = kinds[key];
  for (;;) {
    const body = certificateBody(about, algorithm);
    const signature = sign(digest, body, privateKey);
    // An ECDSA signature is some bytes longer or shorter by chance; all certificates of a key are to be of one size.
    if (signatureBytes !== null && signature.length !== signatureBytes) continue;
    return sequence(body, algorithm, der(tags.bitString, Uint8Array.of(0), signature));
  }
}

type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };
type Body = { publicKey: KeyObject; subject: string; issuer: string; isAuthority: boolean };

type Kind = {
  generate(): Promise<KeyPair>;
  algorithm: Buffer;
  digest: string | null;
  signatureBytes: number | null;
};

const generated = promisify(generateKeyPair);

const kinds: Record<KeyName, Kind> = {
  'RSA-512': rsa(512),
  'RSA-1024': rsa(1024),
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'RSA-4096': rsa(4096),
  'P-256': ecdsa('P-256', '1.2.840.10045.4.3.2', 'sha256', 71),
  'P-384': ecdsa('P-384', '1.2.840.10045.4.3.3', 'sha384', 103),
  Ed25519: {
    generate: () => generated('ed25519'),
    algorithm: sequence(objectIdentifier('1.3.101.112')),
    digest: null,
    signatureBytes: null,
  },
  'ML-DSA-44': mlDsa('ml-dsa-44', '2.16.840.1.101.3.4.3.17'),
  'ML-DSA-65': mlDsa('ml-dsa-65', '2.16.840.1.101.3.4.3.18'),
  'ML-DSA-87': mlDsa('ml-dsa-87', '2.16.840.1.101.3.4.3.19'),
};

function rsa(modulusLength: number): Kind {
  return {
    generate: () => generated('rsa', { modulusLength }),
    algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11'), der(tags.null)),
    digest: 'sha256',
    signatureBytes: null,
  };
}

function ecdsa(namedCurve: string, algorithm: string, digest: string, signatureBytes: number): Kind {
  return {
    generate: () => generated('ec', { namedCurve }),
    algorithm: sequence(objectIdentifier(algorithm)),
    digest,
    signatureBytes,
  };
}

function mlDsa(type: 'ml-dsa-44' | 'ml-dsa-65' | 'ml-dsa-87', algorithm: string): Kind {
  return {
    generate: () => generated(type),
    algorithm: sequence(objectIdentifier(algorithm)),
    digest: null,
    signatureBytes: null,
  };
}

const name = 'lab.tls-toll.test';

/** The server's is its host, as in its alternative name. */
function nameOf(index: number): string {
  return index === 0 ? name : `Lab intermediate ${index}`;
}

function certificateBody({ publicKey, subject, issuer, isAuthority }: Body, algorithm: Buffer): Buffer {
  const named = (one: string) =>
    sequence(der(tags.set, sequence(objectIdentifier('2.5.4.3'), text(tags.utf8String, one))));
  const serial = randomBytes(16);
  // Positive, and of all its bytes.
  serial[0] = 0x4a;
  return sequence(
    der(0xa0, der(tags.integer, Uint8Array.of(2))),
    der(tags.integer, serial),
    algorithm,
    named(issuer),
    sequence(text(tags.utcTime, '250101000000Z'), text(tags.utcTime, '491231235959Z')),
    named(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority ? basicConstraints() : alternativeName())),
  );
}

function alternativeName(): Buffer {
  return sequence(objectIdentifier('2.5.29.17'), der(tags.octetString, sequence(text(0x82, name))));
}

/** Critical, and an authority. */
function basicConstraints(): Buffer {
  const isTrue = Uint8Array.of(0xff);
  const constraints = sequence(der(tags.boolean, isTrue));
  return sequence(
    objectIdentifier('2.5.29.19'),
    der(tags.boolean, isTrue),
    der(tags.octetString, constraints),
  );
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/**
 * One process's share of the lab: its keys, and one context per configuration and end. A fresh context for every connection would cost more
 * than agreeing on a key does.
 */
export class CellBench {
  readonly #identities = new Map<string, Promise<Identity>>();
  readonly #clients = new Map<string, SecureContext>();
  readonly #servers = new Map<string, SecureContext>();

  /** Makes what the cell needs and looks at what it sends. Rejects with what the library says against it. */
  async prepare(cell: HandshakeCell): Promise<Observed> {
    const contexts = await this.#contextsOf(cell);
    const observed = await observe(contexts, cell, () => this.#meet(contexts, cell));
    if (cell.compression !== undefined && cell.resumption === 'full') {
      const { compression: codec, ...plain } = cell;
      const [sent, whole] = [observed, await this.prepare(plain)].map(
        ({ wire }) => wire.handshakeBytes.serverToClient,
      ) as [number, number];
      if (sent >= whole)
        throw new Reason(
          `its certificates do not get smaller with ${codec}: the server sends ${printNumber(sent, 0)} bytes either way`,
        );
    }
    return observed;
  }

  /**
   * Opens connections one after the other. One connection before them does not count: it finds the processor's caches full of another cell,
   * and provides the session that the others resume, if they do.
   */
  async visit(cell: HandshakeCell, connections: number): Promise<Samples> {
    const contexts = await this.#contextsOf(cell);
    const session = await this.#meet(contexts, cell);
    return timeEach(connections, () => connectOnce(contexts, { cell, session }));
  }

  async visitPlain(turns: readonly Turn[], bytes: number, connections: number): Promise<Samples> {
    await connectPlain(turns, bytes);
    return timeEach(connections, () => connectPlain(turns, bytes));
  }

  clientOf(configuration: Configuration): SecureContext {
    const name = configurationKey(configuration);
    const context = this.#clients.get(name) ?? clientContext(configuration);
    this.#clients.set(name, context);
    return context;
  }

  async serverOf(configuration: Configuration): Promise<SecureContext> {
    const name = configurationKey(configuration);
    const context =
      this.#servers.get(name) ?? serverContext(configuration, await this.#identityOf(configuration));
    this.#servers.set(name, context);
    return context;
  }

  /** The client's first: it knows unknown suites and groups without waiting for a key to be made. */
  async #contextsOf(cell: HandshakeCell): Promise<Contexts> {
    const client = this.clientOf(cell);
    return { client, server: await this.serverOf(cell) };
  }

  /** A full connection; its session where later ones resume, else null. */
  async #meet(contexts: Contexts, cell: HandshakeCell): Promise<Buffer | null> {
    const connect = (call: Omit<Call, 'cell'>) =>
      connectOnce(contexts, { cell: { ...cell, bytes: 1 }, ...call });
    if (cell.resumption === 'resumed') return sessionOf(connect);
    await connect({ session: null });
    return null;
  }

  #identityOf({ key, chain = 0 }: Certificates): Promise<Identity> {
    const name = `${key}+${chain}`;
    const identity = this.#identities.get(name) ?? issueCertificate(key, chain);
    this.#identities.set(name, identity);
    return identity;
  }
}

/** The last session that the server gives on a full connection. */
export async function sessionOf(
  connectWith: (call: { session: null; keepSession: (session: Buffer) => void }) => Promise<unknown>,
): Promise<Buffer> {
  const given: Buffer[] = [];
  await connectWith({ session: null, keepSession: (session) => given.push(session) });
  const session = given.at(-1);
  if (session === undefined) throw new Reason('the server gave no session to resume');
  return session;
}

function configurationKey({ version, cipher, key, chain, compression, group, guess }: Configuration): string {
  return [version, cipher, key, chain, compression, group, guess].join('/');
}

/** Configuration of a cell's handshakes; cells that differ in payload or resumption share it. */
type Configuration = Pick<HandshakeCell, 'version' | 'cipher' | 'group' | 'guess'> & Certificates;

/** Throws the library's error for what it does not know. */
export function serverContext(configuration: Configuration, identity: Identity): SecureContext {
  const { group } = configuration;
  return createSecureContext({
    ...optionsOf(configuration),
    ...identity,
    ...(group !== null && group in ffdheParameters ? { dhparam: ffdheParameters[group] } : {}),
  });
}

/** It trusts nobody, and nobody is checked: the server's signature is verified, its certificate is not, as in 1997. */
export function clientContext(configuration: Configuration): SecureContext {
  const { group, guess } = configuration;
  return createSecureContext({
    ...optionsOf(configuration),
    // It sends a share for the first of the list, and has the other to fall back on.
    ...(guess === undefined ? {} : { ecdhCurve: `${guess}:${group}` }),
    ca: [],
  });
}

function optionsOf({ version, cipher, key, group, compression }: Configuration): SecureContextOptions {
  return {
    minVersion: version,
    maxVersion: version,
    ciphers: ciphersOf({ version, cipher, key }),
    ...(compression === undefined ? {} : { certificateCompression: [compression] }),
    ...(group === null || isOfTheServer(version, group) ? {} : { ecdhCurve: groupsOf(version, group, key) }),
  };
}

/** The one suite. What is weak needs the library's lowest level; a level is no list, so a suite of TLS 1.3 gets one beside it. */
function ciphersOf({ version, cipher, key }: Pick<Configuration, 'version' | 'cipher' | 'key'>): string {
  const isWeak =
    legacyVersions.includes(version) ||
    legacyKeys.includes(key) ||
    // Without encryption, or with tags of 64 bits.
    /NULL|^TLS_SHA|CCM_?8/.test(cipher) ||
    describeSuite(cipher).broken;
  if (!isWeak) return cipher;
  return version === 'TLSv1.3' ? `${cipher}:DEFAULT@SECLEVEL=0` : `${cipher}:@SECLEVEL=0`;
}

/** Up to TLS 1.2 a finite field is in the server's parameters, not in a list that both have. */
function isOfTheServer(version: string, group: string): boolean {
  return version !== 'TLSv1.3' && group in ffdheParameters;
}

/** Up to TLS 1.2 the curve of an ECDSA key has to be in the list as well; the first is the one that is agreed in. */
function groupsOf(version: string, group: string, key: string): string {
  const needsCurve = version !== 'TLSv1.3' && key.startsWith('P-') && key !== group;
  return needsCurve ? `${group}:${key}` : group;
}
