import { createHmac } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

const exporterLabel = 'EXPORTER-Channel-Binding';

/**
 * Derives a key for one TLS connection. Both ends derive the same key when they have the same token. It depends on the token, the
 * listener's nonce, and the connection itself (RFC 9266), so a signature made with it is invalid on any other connection. The token
 * is never sent.
 * @param purpose keeps the keys of different protocols apart
 */
export function channelKey(token: string, purpose: string, nonce: string, socket: TLSSocket): Buffer {
  const channel = socket.exportKeyingMaterial(32, exporterLabel, Buffer.alloc(0));
  return createHmac('sha256', token).update(`tls-toll ${purpose} ${nonce} `).update(channel).digest();
}
