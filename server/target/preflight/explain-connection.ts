import type { Listener } from '../../../shared/target.ts';
import type { TlsProfile, TlsVersion } from '../../../shared/tls-profile.ts';
import { isEncrypted, transportFacts } from '../../../shared/transport.ts';
import { transportSchema } from '../../../shared/transport-schema.ts';
import { describeRefusal, explainChoice } from './explain-choice.ts';
import { endpointOf } from './origin.ts';

/** Why a TCP connection failed. `code` is the system's, or `timeout`. */
export function explainConnect(code: string, endpoint: string, timeoutMs: number): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing is listening on ${endpoint}. Start the target or correct the port.`;
    case 'timeout':
    case 'ETIMEDOUT':
      return `${endpoint} did not accept a connection within ${timeoutMs / 1000} s. Check whether the server hangs.`;
    case 'ECONNRESET':
      return `${endpoint} resets connections at once. Check the server’s log.`;
    case 'EADDRNOTAVAIL':
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return `${endpoint} cannot be reached from this machine (${code}). Check the address and the route to it.`;
    default:
      return `Could not connect to ${endpoint} (${code}).`;
  }
}

/**
 * Why a handshake failed. What the server sent says more than the code: a web server without TLS answers in HTTP.
 * @param head first bytes that the server sent
 */
export function explainHandshake(
  code: string,
  head: Buffer,
  listener: Listener,
  profile: TlsProfile,
  timeoutMs: number,
): string {
  const endpoint = endpointOf(listener);
  if (head.subarray(0, 5).toString('latin1') === 'HTTP/') {
    return `${endpoint} speaks plain HTTP, not TLS. Are the ports swapped?`;
  }
  if (head.length > 0 && !isTlsRecord(head)) {
    return `${endpoint} speaks neither TLS nor HTTP. Correct the port.`;
  }
  if (code === 'timeout') {
    return `${endpoint} accepts connections but did not answer the TLS handshake within ${timeoutMs / 1000} s.`;
  }
  const other = otherVersionAfter(code, profile);
  if (other !== undefined) {
    return `${endpoint} does not offer ${profile.version}. Enable it on the server, or choose ${other} for the run.`;
  }
  if (/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(code)) {
    return `${endpoint} requires a client certificate. Such targets cannot be measured yet.`;
  }
  if (/UNRECOGNIZED_NAME/.test(code)) {
    return `${endpoint} does not know the name ${listener.hostname}. Use a name that it serves in the HTTPS address.`;
  }
  if (/NO_CIPHERS_AVAILABLE|NO_SUITABLE_GROUPS/.test(code)) {
    return explainChoice(code, profile);
  }
  if (/HANDSHAKE_FAILURE/.test(code)) {
    return `${endpoint} refused the handshake: it ${describeRefusal(profile)}.`;
  }
  if (code === 'closed' || code === 'ECONNRESET' || code === 'EPIPE') {
    return `${endpoint} closed the connection during the TLS handshake. Is that a TLS port?`;
  }
  return `The TLS handshake with ${endpoint} failed (${code}).`;
}

/** The version of TLS to try where the server does not offer the one that was asked for. */
export function otherVersionAfter(code: string, { version }: TlsProfile): TlsVersion | undefined {
  if (!/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION/.test(code)) return undefined;
  return version === 'TLSv1.3' ? 'TLSv1.2' : 'TLSv1.3';
}

/** Why there was no agreement on a protocol. */
export function explainProtocol(listener: Listener): string {
  const endpoint = endpointOf(listener);
  const { httpVersion } = transportFacts[listener.transport];
  const others = transportSchema.options.filter(
    (each) => isEncrypted(each) && transportFacts[each].httpVersion !== httpVersion,
  );
  return `${endpoint} does not offer HTTP/${httpVersion} over TLS. Enable it on the server, or choose the transport ${others.join(' or ')}.`;
}

/** Alert or handshake, of any version. */
function isTlsRecord(head: Buffer): boolean {
  return (head[0] === 21 || head[0] === 22) && (head[1] ?? 3) === 3;
}
