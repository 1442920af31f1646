import type { Options } from './option.ts';

/** Properties that all of these options share. */
const ofTls = { hint: null, group: 'TLS', perSide: true, ofTls: true } as const;

export const tlsVersions = ['TLSv1.3', 'TLSv1.2'] as const;

/** Algorithms that compress certificates. Source: RFC 8879, section 7.3. */
export const certificateCodecs = ['zlib', 'brotli', 'zstd'] as const;

/** TLS options of the client side of every connection. Null requests nothing: both ends agree on the best that they support. */
export const tlsOptions = {
  version: {
    ...ofTls,
    type: 'choice',
    choices: tlsVersions,
    labels: { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' },
    words: { 'TLSv1.3': '1.3', 'TLSv1.2': '1.2' },
    sideNames: { null: 'best TLS version' },
    default: null,
    label: 'TLS version',
    help: 'Version of TLS, refused if the server does not offer it',
    usual: 'the best that both ends speak',
    flag: '--tls',
    takes: 'version',
  },
  cipher: {
    ...ofTls,
    type: 'text',
    pattern: /^[A-Za-z0-9_-]{1,80}$/,
    taken: 'one name, such as TLS_AES_128_GCM_SHA256',
    sideNames: { null: 'any cipher suite' },
    default: null,
    label: 'Cipher suite',
    help: 'The only cipher suite to offer, such as `TLS_AES_128_GCM_SHA256`',
    usual: 'the library’s own list',
  },
  group: {
    ...ofTls,
    type: 'text',
    pattern: /^[A-Za-z0-9_-]{1,60}$/,
    taken: 'one name, such as X25519',
    sideNames: { null: 'any group' },
    default: null,
    label: 'Key agreement group',
    help: 'The only key agreement group to offer, such as `X25519MLKEM768`',
    usual: 'the library’s own list',
  },
  certificateCompression: {
    ...ofTls,
    type: 'choice',
    choices: ['none', ...certificateCodecs],
    labels: { none: 'None' },
    sideNames: {
      ...{ none: 'plain certificates', zlib: 'certificates in zlib' },
      ...{ brotli: 'certificates in brotli', zstd: 'certificates in zstd' },
    },
    default: 'none',
    takes: 'codec',
    label: 'Certificate compression',
    help: 'How the server compresses its certificates',
  },
  resumption: {
    ...ofTls,
    type: 'choice',
    choices: ['none', 'tickets', 'mix'],
    labels: {
      none: 'None: every handshake is full',
      tickets: 'Tickets: new connections resume',
      mix: 'A mix of new and returning visitors',
    },
    sideNames: { none: 'full handshakes', tickets: 'resumption', mix: 'partial resumption' },
    default: 'none',
    label: 'Resumption',
    help: 'How new TLS connections start: in full (`none`), by resuming a session (`tickets`), or some of each (`mix`)',
  },
  resumedShare: {
    ...ofTls,
    type: 'share',
    min: 0,
    max: 1,
    default: 0.7,
    label: 'Returning visitors',
    help: 'Share of new connections that resume, with the resumption `mix`',
    when: { option: 'resumption', is: 'mix' },
  },
  verify: {
    ...ofTls,
    type: 'flag',
    default: true,
    flag: '--insecure',
    offHelp: 'Do not verify the certificate',
    sideNames: { true: 'verified', false: 'not verified' },
    label: 'Verify the certificate',
    help: 'Verify the server’s certificate. Not doing so saves the client work, never the server',
  },
} as const satisfies Options;

/** `TLS 1.3` of `TLSv1.3`. */
export function printTlsVersion(protocol: string): string {
  return protocol.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
}

/** `X25519 → X25519MLKEM768`; once what both have. */
export function joinValues(baseline: string, comparison: string): string {
  return baseline === comparison ? comparison : `${baseline} → ${comparison}`;
}

/** `AES-256-GCM` of `TLS_AES_256_GCM_SHA384` and of `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384`, which are IANA's names. */
export function printCipher(suite: string): string {
  return suite
    .replace(/^TLS_(?:\w+_WITH_)?/, '')
    .replace(/_(?:SHA\d*|MD5)$/, '')
    .replaceAll('_', '-')
    .replace('CHACHA20-POLY1305', 'ChaCha20-Poly1305');
}
