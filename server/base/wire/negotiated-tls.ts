import { createHash, type X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import type { certificateCodecs } from '../../../shared/base/tls.ts';
import {
  type NegotiatedTls,
  type TlsField,
  type TlsProfile,
  type TlsVersion,
  tlsVersionSchema,
} from '../../../shared/base/tls-profile.ts';

type Asked = Pick<TlsProfile, TlsField>;

/** Options of `createSecureContext`. */
type Offer = {
  minVersion: TlsVersion;
  maxVersion: TlsVersion;
  ciphers?: string;
  ecdhCurve?: string;
} & Compression;

/**
 * A client's offer: the parameters that were asked for, and the library's own choice of the rest.
 * @param usual Node's own list of suites
 */
export function offerOf(asked: Asked, weakKey: boolean, usual: string): Offer {
  const version = versionFor(asked);
  return {
    minVersion: version ?? 'TLSv1.2',
    maxVersion: version ?? 'TLSv1.3',
    ...ciphersFor(asked.cipher, version, weakKey, usual),
    ...groupsFor(asked.group, version),
    ...compressionOf(asked),
  };
}

type Compression = { certificateCompression?: (typeof certificateCodecs)[number][] };

/** An end's option for Node: a client offers the codec, and a server compresses with it for clients that do. */
export function compressionOf({
  certificateCompression: codec,
}: Pick<TlsProfile, 'certificateCompression'>): Compression {
  return codec === 'none' ? {} : { certificateCompression: [codec] };
}

/** The only version that will do: the one asked for, or that of the suite or the group asked for. Null where each will. */
export function versionFor({ version, cipher, group, certificateCompression }: Asked): TlsVersion | null {
  if (version !== null) return version;
  if (cipher !== null && !cipher.includes('_WITH_')) {
    const { versions } = describeSuite(cipher);
    return tlsVersionSchema.options.find((known) => versions.includes(known)) ?? null;
  }
  // Key encapsulation came with TLS 1.3, and so did compression (RFC 8879, section 3).
  const isNew = certificateCompression !== 'none' || (group !== null && /ML-?KEM/i.test(group));
  return isNew ? 'TLSv1.3' : null;
}

/**
 * A key that OpenSSL finds too short needs its lowest level, which is written into the list; a level is no list, so a suite of
 * TLS 1.3 gets one beside it.
 */
function ciphersFor(
  cipher: string | null,
  version: TlsVersion | null,
  weakKey: boolean,
  usual: string,
): { ciphers?: string } {
  if (!weakKey) return cipher === null ? {} : { ciphers: cipher };
  const suites = cipher === null ? usual : version === 'TLSv1.3' ? `${cipher}:DEFAULT` : cipher;
  return { ciphers: `${suites}:@SECLEVEL=0` };
}

/**
 * A certificate on P-256 or P-384 needs that curve in the list of TLS 1.2, whatever group the keys are agreed in. With TLS 1.3 offered as
 * well, a server would agree the keys in it.
 */
function groupsFor(group: string | null, version: TlsVersion | null): { ecdhCurve?: string } {
  if (group === null) return {};
  return { ecdhCurve: version === 'TLSv1.2' ? [...new Set([group, 'P-256', 'P-384'])].join(':') : group };
}

const curveNames: Record<string, string> = {
  prime256v1: 'P-256',
  secp256r1: 'P-256',
  curvep256: 'P-256',
  secp384r1: 'P-384',
  curvep384: 'P-384',
  secp521r1: 'P-521',
  curvep521: 'P-521',
};

/** The one name that this product has for a group, of which libraries have several. */
export function groupName(name: string): string {
  return curveNames[name.toLowerCase()] ?? name;
}

/** Parameters that a handshake agreed on, read back from its connection. Read them at `secureConnect`; they are gone after close. */
export function readNegotiated(
  socket: TLSSocket,
  resumed: boolean,
  certificate: X509Certificate | undefined,
): NegotiatedTls {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    // On a resumed TLS 1.2 connection Node reports the group of some earlier one.
    group: resumed ? null : groupOf(socket),
    key: keyOf(certificate),
    alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : null,
  };
}

/** Node answers `{}` where it does not know, as for static RSA. */
function groupOf(socket: TLSSocket): string | null {
  const info = socket.getEphemeralKeyInfo();
  if (info === null) return null;
  if ('name' in info && typeof info.name === 'string') return groupName(info.name);
  // A finite field is known only by its size. In TLS 1.3, that identifies the group of RFC 7919; before, a server may have its own group.
  if (!('size' in info) || info.type !== 'DH') return null;
  return socket.getProtocol() === 'TLSv1.3' ? `ffdhe${info.size}` : `DHE ${info.size}`;
}

/** `EC P-256`, `RSA 2048`. */
export function keyOf(certificate: X509Certificate | undefined): string | null {
  const key = certificate?.publicKey;
  if (key === undefined) return null;
  const type = (key.asymmetricKeyType ?? 'unknown').toUpperCase();
  const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
  if (namedCurve !== undefined) return `${type} ${groupName(namedCurve)}`;
  return modulusLength === undefined ? type : `${type} ${modulusLength}`;
}

/**
 * Whether the first message of a TLS 1.3 server is a HelloRetryRequest: a ServerHello whose random is the hash of
 * that name. Source: RFC 8446, section 4.1.3.
 */
export function isHelloRetry(record: Buffer): boolean {
  const isServerHello = record[0] === 22 && record[5] === 2;
  return isServerHello && record.subarray(11, 43).equals(retryRandom);
}

const retryRandom = createHash('sha256').update('HelloRetryRequest').digest();

const headBytes = 4096;

/** Stands between a socket and the TLS on top of it, and keeps the first bytes that passed each way. */
export class WireTap extends Duplex {
  readonly #socket: Socket;
  readonly #received = new Head();
  readonly #sent = new Head();

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  get received(): Buffer {
    return this.#received.bytes;
  }

  get sent(): Buffer {
    return this.#sent.bytes;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sent.add(chunk);
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    this.#received.add(chunk);
    if (!this.push(chunk)) this.#socket.pause();
  }
}

class Head {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    if (this.#length >= headBytes) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}
