import { createSecureContext, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { Listener } from '../../shared/target.ts';
import type { NegotiatedTls, TlsProfile } from '../../shared/tls-profile.ts';

/**
 * The TLS side of every connection to one listener: one context for all (a fresh one costs more than a key exchange),
 * the session to resume, and what was negotiated, which must stay the same for the whole run.
 */
export class ClientTls {
  readonly context: SecureContext;
  readonly servername: string;
  negotiated: NegotiatedTls | null = null;
  #session: Buffer | null = null;
  readonly #resumes: boolean;

  constructor(listener: Listener, profile: TlsProfile) {
    this.context = createSecureContext({
      ...(listener.ca === null ? { ca: [...rootCertificates] } : { ca: listener.ca }),
      minVersion: profile.version,
      maxVersion: profile.version,
    });
    this.servername = listener.hostname;
    this.#resumes = profile.resumption === 'tickets';
  }

  /** Session to offer on the next connection; undefined for a full handshake. */
  get session(): Buffer | undefined {
    return this.#session ?? undefined;
  }

  keepSession(session: Buffer): void {
    if (this.#resumes) this.#session = session;
  }

  /**
   * Reads a new connection back and holds it against the first one.
   * Returns what changed, in a sentence, or null.
   */
  inspect(socket: TLSSocket, resumed: boolean): string | null {
    const first = this.negotiated;
    const protocol = socket.getProtocol() ?? 'unknown';
    const cipher = socket.getCipher().standardName;
    if (first === null) {
      this.negotiated = readBack(socket, protocol, cipher, resumed);
      return null;
    }
    if (first.protocol !== protocol) return `the protocol changed from ${first.protocol} to ${protocol}`;
    if (first.cipher !== cipher) return `the cipher suite changed from ${first.cipher} to ${cipher}`;
    if (first.group === null && !resumed) first.group = groupOf(socket);
    return null;
  }
}

function readBack(socket: TLSSocket, protocol: string, cipher: string, resumed: boolean): NegotiatedTls {
  return {
    protocol,
    cipher,
    group: resumed ? null : groupOf(socket),
    key: keyOf(socket),
    alpn: typeof socket.alpnProtocol === 'string' ? socket.alpnProtocol : null,
  };
}

function groupOf(socket: TLSSocket): string | null {
  const info = socket.getEphemeralKeyInfo();
  return info !== null && 'name' in info && typeof info.name === 'string' ? info.name : null;
}

const curveNames: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

function keyOf(socket: TLSSocket): string | null {
  const key = socket.getPeerX509Certificate()?.publicKey;
  if (key === undefined) return null;
  const details = key.asymmetricKeyDetails;
  const type = (key.asymmetricKeyType ?? 'unknown').toUpperCase();
  if (details?.namedCurve !== undefined)
    return `${type} ${curveNames[details.namedCurve] ?? details.namedCurve}`;
  return details?.modulusLength === undefined ? type : `${type} ${details.modulusLength}`;
}
