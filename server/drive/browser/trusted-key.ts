import { createHash, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, connect } from 'node:tls';
import type { Listener } from '../../../shared/target/target.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import { ownSocket } from '../../base/process/children.ts';

/**
 * The key that Chromium may be told to trust: SHA-256 of the SPKI of the certificate the listener shows, in base64.
 *
 * Chromium takes a listed key for any name and any date, so the certificate is verified here first, against `caPem` and
 * for the listener's hostname, or by the fingerprint that is trusted instead. Rejects with OpenSSL's reason when it does not verify, and when the listener is silent.
 */
export function readTrustedKey(
  listener: Pick<Listener, 'hostname' | 'address' | 'port' | 'trust'>,
  caPem: string | null,
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = ownSocket(
    connect({
      host: listener.address,
      port: listener.port,
      ...(caPem === null ? {} : { ca: caPem }),
      rejectUnauthorized: listener.trust === undefined,
      ...(isIP(listener.hostname) === 0 ? { servername: listener.hostname } : {}),
      checkServerIdentity: (_, certificate) => checkServerIdentity(listener.hostname, certificate),
    }),
  );
  // Before the handshake begins.
  socket.prependOnceListener('connect', () => {
    if (!isAddress(socket.remoteAddress, listener.address)) {
      socket.destroy(new Error('the connection leads somewhere else'));
    }
  });
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) reject(new Error('the server showed no certificate'));
    else if (listener.trust !== undefined && certificate.fingerprint256 !== listener.trust)
      reject(new Error('it is not the certificate that is trusted for this run'));
    else resolve(fingerprintOfKey(certificate));
    socket.destroy();
  });
  socket.once('error', reject);
  socket.once('close', () => {
    signal.removeEventListener('abort', abort);
    reject(new Error('the connection was closed during the handshake'));
  });
  if (signal.aborted) abort();
  return promise;
}

function fingerprintOfKey({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
