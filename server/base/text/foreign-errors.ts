/**
 * The one place that has words for errors of the system, of OpenSSL, and of libraries: their codes, paths, and thread numbers say little to
 * whoever reads a sentence of ours. An error that is not known becomes "failed (details)".
 */

/** What an error says of the other end, as a phrase that follows its name: `is not listening`. A text is such a phrase already. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, message, name } = partsOf(error);
  if (ours.has(name)) return message.replace(/\.$/, '');
  if (name === 'TimeoutError' || name === 'AbortError') return 'did not answer in time';
  const known = byCode[code] ?? byPattern.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return known ?? unknown;
}

const unknown = 'failed (details)';
const mostLetters = 2000;
/** Errors whose message is a phrase, or a sentence, of ours. */
const ours = new Set(['ProblemError', 'CheckProblem', 'NoAnswer']);

/** Of what it was caused by, and of several causes the first: `fetch failed` and `AggregateError` say less. */
function partsOf(error: unknown): { code: string; message: string; name: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error).slice(0, mostLetters), name: '' };
  const { name, message, cause } = error;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const inner = first ?? cause;
  if (inner instanceof Error && !ours.has(name)) return partsOf(inner);
  return { code: 'code' in error ? String(error.code) : '', message: message.slice(0, mostLetters), name };
}

const noRoute = 'cannot be reached: there is no route to it';
const noName = 'has a name that leads to no address';
const noTls = 'does not speak TLS';
const noPlace = 'cannot be asked: this machine has no free file descriptors';
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
  HOSTNAME_MISMATCH: 'has a certificate for another name',
};

/** Of OpenSSL, whose codes are many and whose messages have the rest. The first that fits counts. */
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
  [/^HPE_|ERR_HTTP2_|NGHTTP2/, 'gave no usable answer'],
];
