import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { transportSchema } from '../../../shared/base/transport-schema.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import { CheckProblem } from './check-problem.ts';
import { explainTerms } from './explain-choice.ts';

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
): CheckProblem {
  const endpoint = endpointOf(listener);
  const broken = (message: string) => new CheckProblem('tls', message);
  if (head.subarray(0, 5).toString('latin1') === 'HTTP/') {
    return explainOther(listener);
  }
  if (head.length > 0 && !isTlsRecord(head)) {
    return broken(`${endpoint} speaks neither TLS nor HTTP. Correct the port.`);
  }
  if (code === 'timeout') {
    const within = `within ${timeoutMs / 1000} s`;
    return broken(`${endpoint} accepts connections but did not answer the TLS handshake ${within}.`);
  }
  const terms = explainTerms(code, endpoint, profile);
  if (terms !== null) return terms;
  if (/CERTIFICATE_(REQUIRED|UNKNOWN|EXPIRED)|(BAD|UNSUPPORTED)_CERTIFICATE|ALERT_UNKNOWN_CA/.test(code)) {
    const another =
      listener.clientIdentity === undefined ? 'Give one' : 'It does not accept the one given. Give another';
    return broken(`${endpoint} requires a client certificate. ${another} (--client-cert, --client-key).`);
  }
  if (/UNRECOGNIZED_NAME/.test(code)) {
    const name = `the name ${listener.hostname}`;
    return broken(`${endpoint} does not know ${name}. Use a name that it serves in the HTTPS address.`);
  }
  if (code === 'closed' || code === 'ECONNRESET' || code === 'EPIPE') {
    return broken(`${endpoint} closed the connection during the TLS handshake. Is that a TLS port?`);
  }
  return broken(`The TLS handshake with ${endpoint} failed (${code}).`);
}

/** The port speaks the other scheme. */
export function explainOther(listener: Listener): CheckProblem {
  const [spoken, asked] = isEncrypted(listener.transport)
    ? (['plain HTTP', 'TLS'] as const)
    : (['TLS', 'plain HTTP'] as const);
  const remedy =
    listener.sharesPort === true
      ? `Both addresses use this port. Give the ${asked === 'TLS' ? 'HTTPS' : 'HTTP'} address the port that does.`
      : 'Are the ports swapped?';
  return new CheckProblem('tls', `${endpointOf(listener)} speaks ${spoken}, not ${asked}. ${remedy}`);
}

/** Why there was no agreement on a protocol. */
export function explainProtocol(listener: Listener): CheckProblem {
  const endpoint = endpointOf(listener);
  const { httpVersion } = transportFacts[listener.transport];
  const others = transportSchema.options.filter(
    (each) => isEncrypted(each) && transportFacts[each].httpVersion !== httpVersion,
  );
  const message = `${endpoint} does not offer HTTP/${httpVersion} over TLS. Enable it on the server, or choose the transport ${others.join(' or ')}.`;
  return new CheckProblem('http_version', message, { field: 'transport' });
}

/** Alert or handshake, of any version. */
function isTlsRecord(head: Buffer): boolean {
  return (head[0] === 21 || head[0] === 22) && (head[1] ?? 3) === 3;
}
