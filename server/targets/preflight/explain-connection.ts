import { isIP } from 'node:net';
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

/** A handshake that failed, and what was seen of it. */
type FailedHandshake = {
  /** The library's, the system's, or `timeout` or `closed`. */
  code: string;
  /** First bytes that the server sent. */
  head: Buffer;
  /** First bytes that the client sent; none where the handshake had ended for it. */
  hello?: Buffer;
  /** The server has asked for a client certificate. */
  asksForCertificate: boolean;
};

/** Why a handshake failed. What the server sent says more than the code: a web server without TLS answers in HTTP. */
export function explainHandshake(
  { code, head, hello, asksForCertificate }: FailedHandshake,
  listener: Listener,
  profile: TlsProfile,
  timeoutMs: number,
): CheckProblem {
  const endpoint = endpointOf(listener);
  const broken = (message: string) => new CheckProblem('tls', message);
  // A record's length follows its type and version.
  const helloBytes = hello === undefined || hello.length < 5 ? undefined : 5 + hello.readUInt16BE(3);
  const unexplained = (message: string) => new CheckProblem('tls', message, { helloBytes });
  if (head.subarray(0, 5).toString('latin1') === 'HTTP/') {
    return explainOther(listener);
  }
  if (head.length > 0 && !isTlsRecord(head)) {
    return broken(`${endpoint} speaks neither TLS nor HTTP. Correct the port.`);
  }
  if (code === 'timeout') {
    const within = `within ${timeoutMs / 1000} s`;
    return unexplained(`${endpoint} accepts connections but did not answer the TLS handshake ${within}.`);
  }
  const isAboutCertificate =
    /CERTIFICATE_(REQUIRED|UNKNOWN|EXPIRED)|(BAD|UNSUPPORTED)_CERTIFICATE|ALERT_UNKNOWN_CA/.test(code);
  const isGiven = listener.clientIdentity !== undefined;
  if (isAboutCertificate || (asksForCertificate && !isGiven)) {
    const another = isGiven ? 'It does not accept the one given. Give another' : 'Give one';
    return broken(`${endpoint} requires a client certificate. ${another} (--client-cert, --client-key).`);
  }
  if (asksForCertificate) {
    const may = 'It may not accept the one given. Give another (--client-cert, --client-key).';
    return broken(
      `${endpoint} broke off the TLS handshake after it had asked for a client certificate. ${may}`,
    );
  }
  if (/UNRECOGNIZED_NAME/.test(code)) {
    return broken(
      isIP(listener.hostname) === 0
        ? `${endpoint} does not know the name ${listener.hostname}. Use a name that it serves in the HTTPS address.`
        : `${endpoint} requires the name of a site, and clients send none for an address. Use a name that it serves in the HTTPS address.`,
    );
  }
  const terms = isHelloAnswered(head) ? null : explainTerms(code, endpoint, profile);
  if (terms !== null) return terms;
  // Only a name is sent to the server; for an address it has to do without.
  const nameless =
    isIP(listener.hostname) === 0
      ? ''
      : ' Clients send the server no name for an address. If it needs one, use a name that it serves.';
  if (code === 'closed' || code === 'ECONNRESET' || code === 'EPIPE') {
    const ended = `${endpoint} closed the connection during the TLS handshake.`;
    return unexplained(`${ended}${head.length === 0 ? ' Is that a TLS port?' : nameless}`);
  }
  const refused = /HANDSHAKE_FAILURE/.test(code) ? `${endpoint} broke off the TLS handshake` : null;
  return unexplained(`${refused ?? `The TLS handshake with ${endpoint} failed`} (${code}).${nameless}`);
}

/** A ServerHello has come, so suite and group are agreed on. Source: RFC 8446, sections 4.1.3 and 5.1. */
function isHelloAnswered(head: Buffer): boolean {
  return head[0] === 22 && head[5] === 2;
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

export function explainHttp2Only(listener: Listener): CheckProblem {
  const message = `${endpointOf(listener)} speaks HTTP/2 only. Choose the transport h2c.`;
  return new CheckProblem('http_version', message, { field: 'transport' });
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
