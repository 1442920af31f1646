import type { z } from 'zod';
import { fieldErrorsOf, ProblemError, problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';

/**
 * Words for errors of the system, of OpenSSL, and of libraries, whose codes, paths, and thread numbers say little to readers. An unknown
 * error becomes "failed (details)", and its own words become the problem's `details`.
 */

/** Why something cannot be done, as a clause in words of ours: `the cable is loose`. The words of any other plain error are foreign. */
export class Reason extends Error {
  override name = 'Reason';
}

/** `FACT: why.` of a failure on this machine, such as of a file; `FACT (details).` for an unknown error. */
export function problemOfError(code: ProblemCode, fact: string, error: unknown): ProblemError {
  const why = causeOf(error);
  const detail = why === null ? `${fact} (details).` : `${fact}: ${why.replace(/\.$/, '')}.`;
  return problem(code, { detail, ...detailsOf(error) }, { cause: error });
}

/** `ENDPOINT reason.` of a failure at the other end of a connection. */
export function problemOfPeer(
  code: ProblemCode,
  subject: string,
  error: unknown,
  advice?: string,
): ProblemError {
  const detail = [`${subject} ${reasonOf(error)}.`, ...(advice === undefined ? [] : [advice])].join(' ');
  return problem(code, { detail, ...detailsOf(error) }, { cause: error });
}

/** The problem's `details`, to be spread into its facts. */
export function detailsOf(error: unknown): { details?: string } {
  const details = error === null || error === undefined ? null : originalOf(error);
  return details === null ? {} : { details };
}

/** Reason for a failure on this machine, as a clause. Null for an unknown error. */
export function causeOf(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (isOurs(error)) return error.message;
  const { code, message, name } = innermostCause(error);
  if (isSchemaError(error)) return mistakeIn(error);
  if (name === 'TimeoutError' || name === 'AbortError') return 'it did not end in time';
  if (name === 'SyntaxError' && / JSON/.test(message)) return placeInJson(message);
  const here = causes[code] ?? opensslCauses.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  if (here !== undefined) return here;
  const there = knownReason(code, message);
  return there === undefined ? null : `the other end ${there}`;
}

/** An error's own words, on one line, cut. Null for our own errors, whose words are in the sentence. */
function originalOf(error: unknown): string | null {
  if (error instanceof ProblemError) return error.problem.details ?? null;
  if (isOurs(error)) {
    const { cause } = error;
    if (cause === undefined) return null;
    return typeof cause === 'string' ? onOneLine(cause) : originalOf(cause);
  }
  if (typeof error === 'string' || isSchemaError(error)) return null;
  const { code, message } = innermostCause(error);
  const words = message.includes(code) ? message : `${message} (${code})`;
  return onOneLine(words);
}

function onOneLine(words: string): string | null {
  return (
    words
      .slice(0, mostLetters)
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim() || null
  );
}

function isOurs(error: unknown): error is Error {
  return error instanceof Error && ours.has(error.name);
}

/** Reason for a failure at the other end, as a phrase that follows its name: `is not listening`. A string is such a phrase already. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, message, name } = innermostCause(error);
  if (name === 'Reason') return `failed: ${message}`;
  if (ours.has(name)) return message.replace(/\.$/, '');
  if (name === 'TimeoutError' || name === 'AbortError') return 'did not answer in time';
  if (isSchemaError(error)) return 'sent an answer in an unexpected format';
  return knownReason(code, message) ?? unknown;
}

/** The same for the code of an error alone. */
export function reasonOfCode(code: string): string {
  return knownReason(code, '') ?? unknown;
}

function knownReason(code: string, message: string): string | undefined {
  const ofChromium = /net::ERR_(\w+)/.exec(`${code} ${message}`)?.[1];
  if (ofChromium !== undefined) return byCode[byChromium[ofChromium] ?? ''] ?? inPattern(`ERR_${ofChromium}`);
  return byCode[code] ?? inPattern(`${code} ${message}`);
}

function inPattern(text: string): string | undefined {
  return byPattern.find(([pattern]) => pattern.test(text))?.[1];
}

const unknown = 'failed (details)';

export function isUnknown(reason: string): boolean {
  return reason === unknown;
}
const mostLetters = 2000;
/** Errors whose message is our own phrase, clause, or sentence. */
const ours = new Set(['ProblemError', 'CheckProblem', 'NoAnswer', 'Reason']);

/** Follows causes inward, and the first of several, because `fetch failed` and `AggregateError` say less. */
function innermostCause(error: unknown): { code: string; message: string; name: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error).slice(0, mostLetters), name: '' };
  const { name, message, cause } = error;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const inner = first ?? cause;
  if (inner instanceof Error && !ours.has(name)) return innermostCause(inner);
  return { code: 'code' in error ? String(error.code) : '', message: message.slice(0, mostLetters), name };
}

function isSchemaError(error: unknown): error is z.ZodError {
  return error instanceof Error && /^\$?ZodError$/.test(error.name);
}

function mistakeIn(error: z.ZodError): string {
  const [first] = fieldErrorsOf(error);
  if (first === undefined) return 'it is not valid';
  return first.field === ''
    ? `it ${first.message.replace('missing', 'is missing')}`
    : `${first.field}: ${first.message}`;
}

/** Place of the mistake in a text that is not JSON, if V8 names one. */
function placeInJson(message: string): string | null {
  if (/end of JSON|Unterminated/.test(message)) return 'it ends too early';
  const place = /line (\d+) column (\d+)/.exec(message);
  return place === null ? null : `it has a mistake in line ${place[1]}, column ${place[2]}`;
}

const noPermission = 'the system does not permit it';
const isFull = 'the disk is full';
const noDescriptors = 'this machine has no free file descriptors';

/** Failures of files and programs. */
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: noPermission,
  EPERM: noPermission,
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'it already exists',
  ENOTEMPTY: 'the directory is not empty',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EROFS: 'the file system is read-only',
  ENOSPC: isFull,
  EDQUOT: isFull,
  EFBIG: 'the file is too large',
  EIO: 'the disk reported an error',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is in use',
  ENOEXEC: 'it is not a program for this machine',
  EMFILE: noDescriptors,
  ENFILE: noDescriptors,
  ENOMEM: 'this machine is out of memory',
  EAGAIN: 'this machine is running too many processes',
  EADDRINUSE: 'another program is using the port',
  ERR_STRING_TOO_LONG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

/** Failures to read certificates and keys. */
const opensslCauses: readonly (readonly [RegExp, string])[] = [
  [/KEY_VALUES_MISMATCH|key values mismatch/i, 'the key does not belong to the certificate'],
  [/NO_START_LINE|no start line|BAD_BASE64|bad base64|PEM routines/i, 'it is not in the PEM format'],
  [
    /DECODER routines|ERR_OSSL_UNSUPPORTED|ASN1|wrong tag/i,
    'it is not a certificate or key that can be read',
  ],
  [/BAD_DECRYPT|bad decrypt|BAD_PASSWORD|bad password|PASSPHRASE/i, 'it is encrypted'],
  [/KEY_TOO_SMALL|key too small/i, 'the key is too short'],
  [/NO_CIPHER_MATCH|NO_CIPHERS_AVAILABLE/, 'this machine’s TLS library has no such cipher suite'],
  [
    /NO_SUITABLE_GROUPS|ERR_CRYPTO_INVALID_CURVE|INVALID_GROUP|UNSUPPORTED_ELLIPTIC_CURVE|PASSED_INVALID_ARGUMENT|Failed to set ECDH/i,
    'this machine’s TLS library has no such group',
  ],
];

const noRoute = 'cannot be reached: there is no route to it';
const noName = 'has a host name that does not resolve';
const noTls = 'does not speak TLS';
const noPlace = 'cannot be reached: this machine has no free file descriptors';
const untrusted = 'has a certificate that is not trusted here';

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'is not listening',
  ECONNRESET: 'reset the connection',
  ECONNABORTED: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'cannot be reached: it does not answer',
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ENETDOWN: noRoute,
  ENETRESET: 'lost its connection, because a network interface of this machine came or went',
  ERR_QUIC: 'does not answer HTTP/3 over UDP',
  EACCES: 'cannot be reached: the system does not permit it',
  EPERM: 'cannot be reached: the system does not permit it',
  ENOTFOUND: noName,
  EAI_AGAIN: noName,
  EAI_FAIL: noName,
  EMFILE: noPlace,
  ENFILE: noPlace,
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate that is not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_REVOKED: 'has a certificate that was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  ERR_UNSAFE_PORT: 'uses a port that browsers do not open',
  HOSTNAME_MISMATCH: 'has a certificate for another name',
};

/** Codes of Chromium's network stack, and Node's codes with the same meaning. */
const byChromium: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'ECONNREFUSED',
  CONNECTION_RESET: 'ECONNRESET',
  CONNECTION_CLOSED: 'EPIPE',
  EMPTY_RESPONSE: 'EPIPE',
  CONNECTION_TIMED_OUT: 'ETIMEDOUT',
  TIMED_OUT: 'ETIMEDOUT',
  ADDRESS_UNREACHABLE: 'EHOSTUNREACH',
  NETWORK_CHANGED: 'ENETRESET',
  QUIC_PROTOCOL_ERROR: 'ERR_QUIC',
  QUIC_HANDSHAKE_FAILED: 'ERR_QUIC',
  NAME_NOT_RESOLVED: 'ENOTFOUND',
  CERT_DATE_INVALID: 'CERT_HAS_EXPIRED',
  CERT_AUTHORITY_INVALID: 'CERT_UNTRUSTED',
  CERT_COMMON_NAME_INVALID: 'HOSTNAME_MISMATCH',
  CERT_REVOKED: 'CERT_REVOKED',
  UNSAFE_PORT: 'ERR_UNSAFE_PORT',
};

/** Patterns of codes and messages, because OpenSSL has too many codes to list. The first match counts. */
const byPattern: readonly (readonly [RegExp, string])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL|wrong version number/i, noTls],
  [/CERTIFICATE_REQUIRED/i, 'requires a client certificate'],
  [
    /(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(UNKNOWN|EXPIRED|REVOKED)|ALERT_UNKNOWN_CA/i,
    'does not accept the client certificate',
  ],
  [/UNRECOGNIZED_NAME/i, 'does not know the name that it was asked for'],
  [/NO_APPLICATION_PROTOCOL/i, 'does not offer the HTTP version that was asked for'],
  [
    /UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW/i,
    'does not speak the TLS version that was asked for',
  ],
  [/NO_SHARED_CIPHER|HANDSHAKE_FAILURE|NO_SUITABLE|NO_CIPHERS/i, 'broke off the TLS handshake'],
  [/before secure TLS|socket hang up|other side closed|ended without/i, 'closed the connection'],
  [/ERR_SSL_|SSL routines|ERR_OSSL_|ERR_TLS_/, 'broke the TLS connection'],
  [/^HPE_|ERR_HTTP2_|NGHTTP2/, 'sent an invalid response'],
];

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
