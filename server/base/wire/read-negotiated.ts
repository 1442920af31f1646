import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import { groupName } from '../addresses/offered-tls.ts';

/** What a handshake agreed on, read back from its connection. Take it at `secureConnect`; it is gone after close. */
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
  // A finite field is known by its size only. In TLS 1.3 it says which of RFC 7919 it is; before, a server may have its own.
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
