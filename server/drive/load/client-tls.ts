import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type ConnectionOptions,
  checkServerIdentity,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { NegotiatedTls, TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type TransportFacts, transportFacts } from '../../../shared/base/transport.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { groupName, offerOf, readNegotiated } from '../../base/wire/negotiated-tls.ts';

/** Comparing certificates costs a tenth of a handshake; a server that has a new one goes on showing it. */
const certificateEvery = 16;

/**
 * The TLS side of every connection to one listener: one context for all (a fresh one costs more than a key exchange),
 * the session to resume, and what was negotiated, which must be as planned and stay the same for the whole run.
 */
export class ClientTls {
  /** For `tls.connect`, beside address and port. */
  readonly options: ConnectionOptions;
  negotiated: NegotiatedTls | null = null;
  readonly #profile: TlsProfile;
  readonly #facts: TransportFacts;
  /** SHA-256 of the only certificate to trust. */
  readonly #trust: string | null;
  #session: Buffer | null = null;
  #certificate: X509Certificate | null = null;
  #fullHandshakes = 0;
  /** Sessions that returning visitors are still to be given, in parts of one. */
  #owed = 0;

  /** Throws the library's error for a suite or a group that it does not know. */
  constructor(listener: Listener, profile: TlsProfile) {
    const { hostname, trust } = listener;
    this.#profile = profile;
    this.#trust = profile.verify ? (trust ?? null) : null;
    this.#facts = transportFacts[listener.transport];
    this.options = {
      secureContext: contextFor(listener, profile),
      servername: isIP(hostname) === 0 ? hostname : '',
      ALPNProtocols: [this.#facts.alpn],
      // Node would take the address that is connected to, which over a link is another one.
      ...(isIP(hostname) === 0
        ? {}
        : { checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate) }),
      // One that is trusted by its fingerprint is held against that instead.
      rejectUnauthorized: profile.verify && listener.trust === undefined,
    };
  }

  /** Session to offer on the next connection; null for a full handshake. */
  takeSession(): Buffer | null {
    const { resumption, resumedShare } = this.#profile;
    if (resumption === 'none' || this.#session === null) return null;
    if (resumption === 'tickets') return this.#session;
    this.#owed += resumedShare;
    if (this.#owed < 1) return null;
    this.#owed -= 1;
    return this.#session;
  }

  /** Whether sessions are of any use; where they are not, the library is spared unpacking them. */
  get resumes(): boolean {
    return this.#profile.resumption !== 'none';
  }

  keepSession(session: Buffer): void {
    this.#session = session;
  }

  /**
   * Reads a new connection back and holds it against the plan and the first one.
   * Returns what is otherwise, in a sentence, or null.
   */
  inspect(socket: TLSSocket, resumed: boolean, offered: boolean): string | null {
    // A declined session makes a full handshake, which is counted as one; a newer session is on its way.
    if (offered && !resumed) this.#session = null;
    const { alpn, httpVersion } = this.#facts;
    // A server that knows nothing of ALPN speaks HTTP/1.1.
    if (httpVersion !== '1.1' && socket.alpnProtocol !== alpn) {
      return `the server did not agree to HTTP/${httpVersion}`;
    }
    const { name } = socket.getCipher();
    const suite = this.#profile.cipher;
    const certificate = this.negotiated === null && !resumed ? certificateOf(socket) : null;
    const negotiated = readNegotiated(socket, resumed, certificate ?? undefined);
    const { protocol, cipher, group } = negotiated;
    // The library passes over a suite that the version does not have.
    if (suite !== null && suite !== name && suite !== cipher)
      return `the suite agreed on is ${cipher}, not ${suite}`;
    const first = this.negotiated;
    const wanted = this.#profile.group;
    if (wanted !== null && group !== null && group.toLowerCase() !== groupName(wanted).toLowerCase())
      return `the keys were agreed in ${group}, not in ${wanted}`;
    if (first === null) {
      this.#certificate = certificate;
      if (this.#trust !== null && this.#certificate?.fingerprint256 !== this.#trust)
        return 'the certificate is not the one that is trusted for this run';
      this.negotiated = negotiated;
      return null;
    }
    if (first.protocol !== protocol) return `the protocol changed from ${first.protocol} to ${protocol}`;
    if (first.cipher !== cipher) return `the cipher suite changed from ${first.cipher} to ${cipher}`;
    return resumed ? null : this.#inspectFull(socket, first, group);
  }

  /** A resumed handshake shows neither certificate nor, in TLS 1.2, a group. */
  #inspectFull(socket: TLSSocket, first: NegotiatedTls, group: string | null): string | null {
    first.group ??= group;
    if (group !== null && first.group !== group)
      return `the key agreement group changed from ${first.group} to ${group}`;
    if (++this.#fullHandshakes % certificateEvery !== 0) return null;
    const certificate = certificateOf(socket);
    this.#certificate ??= certificate;
    if (certificate !== null && this.#certificate?.raw.equals(certificate.raw) === false)
      return 'the server’s certificate changed';
    return null;
  }
}

function contextFor(
  { ca, trust, weakKey = false, clientIdentity }: Listener,
  profile: TlsProfile,
): SecureContext {
  return createSecureContext({
    // Without any authority the library stops at the signature, and Node does not unpack the certificate for its name.
    ca: profile.verify && trust === undefined ? (ca ?? [...rootCertificates]) : [],
    ...offerOf(profile, weakKey, DEFAULT_CIPHERS),
    ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
  });
}

function certificateOf(socket: TLSSocket): X509Certificate | null {
  return socket.getPeerX509Certificate() ?? null;
}
