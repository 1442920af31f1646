import { createHmac } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

const exporterLabel = 'EXPORTER-Channel-Binding';

/**
 * A key of one TLS connection, to which both ends come if they have the same token: made from the token, the nonce of the end that
 * listens, and the connection itself (RFC 9266). What is signed with it is worth nothing on any other connection, and the
 * token never travels.
 * @param purpose so that no two protocols have a key in common
 */
export function channelKey(token: string, purpose: string, nonce: string, socket: TLSSocket): Buffer {
  const channel = socket.exportKeyingMaterial(32, exporterLabel, Buffer.alloc(0));
  return createHmac('sha256', token).update(`tls-toll ${purpose} ${nonce} `).update(channel).digest();
}
