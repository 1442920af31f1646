import { isIP } from 'node:net';
import { printNumber } from '../../../shared/base/quantity.ts';
import { printTlsVersion } from '../../../shared/base/tls.ts';
import type { TlsField, TlsProfile, TlsVersion } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import { transportSchema } from '../../../shared/base/transport-schema.ts';
import type { ServerFlight } from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import { isUnknown, reasonOfCode } from '../../base/text/foreign-errors.ts';
import { groupName, versionFor } from '../../base/wire/negotiated-tls.ts';
import { CheckProblem } from './inspection.ts';

/** Why a TCP connection failed. `code` is the system's, or `timeout`. */
export function explainConnect(code: string, endpoint: string, timeoutMs: number): CheckProblem {
  const sentence = sentenceOfConnect(code, endpoint, timeoutMs);
  return sentence === null
    ? new CheckProblem('connect', `${endpoint} ${reasonOfCode(code)}.`, {}, code)
    : new CheckProblem('connect', sentence);
}

function sentenceOfConnect(code: string, endpoint: string, timeoutMs: number): string | null {
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
      return `${endpoint} cannot be reached from this machine. Check the address and the route to it.`;
    case 'elsewhere':
      return `A connection to ${endpoint} leads to another address. Check the address and the route to it.`;
    default:
      return null;
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
  const unexplained = (message: string, cause?: string) =>
    new CheckProblem('tls', message, { helloBytes }, cause);
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
  const known = reasonOfCode(code);
  const said = isUnknown(known) ? `The TLS handshake with ${endpoint} ${known}` : `${endpoint} ${known}`;
  return unexplained(`${said}.${nameless}`, code);
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

/** What a profile asks for by name, a version, a suite or a group, and why it is not to be had. */

/** Why the library makes no client for the profile, or none that it lets begin. `code` is the library's. */
export function explainChoice(code: string, profile: TlsProfile): CheckProblem {
  const { cipher, group } = profile;
  if (cipher !== null && /NO_CIPHER_MATCH/.test(code)) {
    const hint = 'Use an OpenSSL name, such as TLS_AES_128_GCM_SHA256.';
    return refusing('cipher', `The cipher suite “${cipher}” is unknown. ${hint}`);
  }
  if (cipher !== null && /NO_CIPHERS_AVAILABLE/.test(code)) return wrongVersion('cipher', cipher, profile);
  if (group !== null && /NO_SUITABLE_GROUPS/.test(code)) return wrongVersion('group', group, profile);
  if (group !== null) {
    const hint = 'Use an OpenSSL name, such as X25519 or X25519MLKEM768.';
    return refusing('group', `The group “${group}” is unknown. ${hint}`);
  }
  return new CheckProblem('tls', 'The TLS settings cannot be used (details).', {}, code);
}

/**
 * What the library took instead of a name that is none of the version's, which it passes over without a word.
 * @param suite both names of the suite that was negotiated
 * @param group the one that was negotiated; null when the library does not say
 */
export function findSubstitute(
  suite: { name: string; standardName: string },
  group: string | null,
  profile: TlsProfile,
): CheckProblem | null {
  const { version, cipher, group: asked } = profile;
  if (cipher !== null && cipher !== suite.name && cipher !== suite.standardName) {
    return wrongVersion('cipher', cipher, profile);
  }
  if (asked !== null && group !== null && !isSameGroup(asked, group)) {
    const where = version === null ? '' : ` in ${printTlsVersion(version)}`;
    return refusing(
      'group',
      `The server negotiated ${group}, not “${asked}”. Choose a group that it supports${where}.`,
    );
  }
  return null;
}

/** The server speaks TLS, and not the only version that will do. Null where either would. */
function explainVersion(endpoint: string, profile: TlsProfile): CheckProblem | null {
  const needed = versionFor(profile);
  if (needed === null) return null;
  const otherVersion: TlsVersion = needed === 'TLSv1.3' ? 'TLSv1.2' : 'TLSv1.3';
  const other = printTlsVersion(otherVersion);
  const speaks = `${endpoint} speaks ${other} ${needed === 'TLSv1.3' ? 'at most' : 'only'}`;
  const enabled = `enable ${needed.replace('TLSv', '')} on the server.`;
  const { version, cipher, group } = profile;
  if (version !== null) {
    return refusing('version', `${speaks}. Choose ${other}, or ${enabled}`, otherVersion);
  }
  const [field, name] = cipher === null ? (['group', group] as const) : (['cipher', cipher] as const);
  return refusing(
    field,
    `${speaks}, and ${name} needs ${printTlsVersion(needed)}. Choose another, or ${enabled}`,
  );
}

/** Why a handshake came to no terms, whatever was asked for. `code` is the library's, and `null` stands for none of these reasons. */
export function explainTerms(code: string, endpoint: string, profile: TlsProfile): CheckProblem | null {
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION/.test(code)) {
    const neither = `${endpoint} speaks neither TLS 1.3 nor TLS 1.2. Enable one of them on the server.`;
    return explainVersion(endpoint, profile) ?? new CheckProblem('tls', neither);
  }
  if (/NO_CIPHERS_AVAILABLE|NO_SUITABLE_GROUPS/.test(code)) return explainChoice(code, profile);
  return /HANDSHAKE_FAILURE/.test(code) ? explainRejection(endpoint, profile) : null;
}

/** The server shares no suite or group with the client. */
function explainRejection(endpoint: string, { cipher, group }: TlsProfile): CheckProblem {
  const asked = [cipher === null ? '' : `the suite ${cipher}`, group === null ? '' : `the group ${group}`];
  const named = asked.filter((name) => name !== '').join(' or ');
  if (named === '') {
    const shared = 'it shares no cipher suite or group with the client';
    return new CheckProblem('tls', `${endpoint} refused the handshake: ${shared}.`);
  }
  return refusing(cipher === null ? 'group' : 'cipher', `${endpoint} does not accept ${named}.`);
}

/** Compressed certificates are asked for in a version that has none (RFC 8879, section 3). */
export function explainOlder(profile: TlsProfile): CheckProblem | null {
  if (profile.certificateCompression === 'none' || versionFor(profile) !== 'TLSv1.2') return null;
  const message = 'Certificate compression needs TLS 1.3. Choose that version, or plain certificates.';
  return refusing('certificateCompression', message);
}

/**
 * An ECDSA signature is some bytes longer or shorter by chance. Certificates that are shorter by no more are not worth compressing, and
 * their server may not.
 */
const chanceBytes = 8;

/** The server sends its certificates as they are, or not shorter. @param flight with the size of one without compression */
export function explainUncompressed(
  endpoint: string,
  { certificateCompression: codec }: TlsProfile,
  { bytes, uncompressedBytes = bytes }: ServerFlight,
): CheckProblem | null {
  if (codec === 'none' || uncompressedBytes - bytes > chanceBytes) return null;
  const [sent, plain] = [bytes, uncompressedBytes].map((each) => printNumber(each, 0));
  return refusing(
    'certificateCompression',
    `${endpoint} does not compress its certificates with ${codec}: it sends ${sent} bytes in a full handshake, and ${plain} to a client without compression. Enable it on the server, or choose another codec or a longer chain.`,
  );
}

function wrongVersion(field: 'cipher' | 'group', name: string, profile: TlsProfile): CheckProblem {
  const kind = field === 'cipher' ? 'cipher suite' : 'group';
  const version = versionFor(profile);
  return refusing(
    field,
    version === null
      ? `The ${kind} “${name}” was not negotiated. Choose one that the server supports.`
      : `The ${kind} “${name}” is not available in ${printTlsVersion(version)}. Choose another one, or another version.`,
  );
}

function refusing(tlsField: TlsField, message: string, otherVersion?: TlsVersion): CheckProblem {
  return new CheckProblem('tls', message, { field: `tls.${tlsField}`, otherVersion });
}

function isSameGroup(one: string, other: string): boolean {
  return groupName(one).toLowerCase() === groupName(other).toLowerCase();
}
