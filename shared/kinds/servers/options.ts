import { type Option, type Options, placeOptions } from '../../base/option.ts';
import { tlsVersions } from '../../base/tls.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { serverKeys, serverNames } from '../../target/server-options.ts';
import { serverTitles } from '../../target/target-words.ts';

const ofFactor = { group: 'Combinations', help: '', hint: null } as const;

/** Factors that may differ between cells. A cell without a factor has the factor's default. */
export const factorTable = {
  server: {
    ...ofFactor,
    type: 'choice',
    choices: serverNames,
    default: 'nginx',
    labels: serverTitles,
    label: 'Server',
  },
  protocol: {
    ...ofFactor,
    type: 'choice',
    choices: tlsVersions,
    default: 'TLSv1.3',
    labels: { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' },
    label: 'Protocol',
  },
  cipher: {
    ...ofFactor,
    type: 'choice',
    choices: ['AES-128-GCM', 'AES-256-GCM', 'CHACHA20-POLY1305'],
    default: null,
    none: 'any',
    labels: { null: 'library’s choice' },
    usual: 'library’s choice',
    label: 'Cipher',
  },
  key: { ...ofFactor, type: 'choice', choices: serverKeys, default: 'P-256', label: 'Key' },
  /** Whether connections stay open; else each request has its own. */
  keepAlive: {
    ...ofFactor,
    type: 'flag',
    default: true,
    labels: { true: 'kept open', false: 'new for each request' },
    label: 'Keep-alive',
  },
  /** Whether a new connection resumes an earlier session. Without new connections it changes nothing. */
  resumption: {
    ...ofFactor,
    type: 'flag',
    default: false,
    labels: { true: 'resumed', false: 'full handshakes' },
    label: 'Resumption',
  },
  /** Whether the server demands a certificate of its clients: mutual TLS. */
  clientCertificates: {
    ...ofFactor,
    type: 'flag',
    default: false,
    labels: { true: 'mutual TLS', false: 'no client certificate' },
    label: 'Client certificates',
  },
  /** Whether the server leaves the encryption of what it sends to the kernel. */
  kTls: {
    ...ofFactor,
    type: 'flag',
    default: false,
    labels: { true: 'kTLS', false: 'TLS in the server' },
    label: 'Kernel TLS',
  },
  /** Connections that ask at the same time. */
  concurrency: {
    ...ofFactor,
    type: 'whole',
    min: 1,
    max: 2000,
    default: 32,
    label: 'Connections',
  },
  document: {
    ...ofFactor,
    type: 'whole',
    min: 0,
    max: 10_000_000,
    unit: 'bytes',
    default: 5496,
    label: 'Document',
  },
} as const satisfies Options;

/** The levels of a factor that are measured. */
export const levelTable = {
  server: levels(factorTable.server, { flag: '--servers', help: 'Servers to start' }),
  protocol: levels(factorTable.protocol, { flag: '--protocols', help: 'Versions of TLS' }),
  cipher: levels(factorTable.cipher, { flag: '--ciphers', help: 'Ciphers' }),
  key: levels(factorTable.key, { flag: '--keys', help: 'Keys of their certificates' }),
  keepAlive: levels(factorTable.keepAlive, {
    flag: '--keep-alive',
    takes: 'on,off',
    help: 'Keep connections open, or open one for each request',
  }),
  resumption: levels(factorTable.resumption, {
    flag: '--resumption',
    takes: 'on,off',
    help: 'Resume sessions on new connections',
  }),
  clientCertificates: levels(factorTable.clientCertificates, {
    flag: '--client-certificates',
    takes: 'on,off',
    help: 'Require client certificates (mutual TLS)',
  }),
  kTls: levels(factorTable.kTls, {
    flag: '--ktls',
    takes: 'on,off',
    help: 'Let the kernel encrypt what the server sends',
  }),
  concurrency: levels(factorTable.concurrency, {
    flag: '--concurrency',
    takes: 'n',
    ticked: false,
    help: 'Concurrent connections',
  }),
  document: levels(factorTable.document, {
    flag: '--documents',
    takes: 'bytes',
    ticked: false,
    label: 'Documents',
    unit: 'bytes',
    help: 'Sizes of the document',
  }),
};

function levels<Factor extends Option, Words extends { flag: `--${string}`; help: string }>(
  item: Factor,
  words: Words,
) {
  return {
    type: 'list',
    item,
    most: 20,
    distinct: true,
    ticked: true,
    default: [item.default],
    label: item.label,
    hint: null,
    group: 'Instead of a preset or a plan (each takes a list such as a,b; all combinations are measured)',
    ...words,
  } as const;
}

export const shapeOption = {
  type: 'choice',
  choices: ['grid', 'each'],
  labels: { grid: 'Every combination', each: 'One factor at a time' },
  default: 'grid',
  flag: null,
  field: false,
  label: 'Combinations',
  help: 'Combinations of the levels to measure',
  group: 'Plan',
} as const satisfies Option;

export const serversTable = {
  rounds: {
    type: 'whole',
    min: 3,
    max: 50,
    default: 6,
    label: 'Rounds',
    help: 'Rounds; each measures every combination once',
    hint: null,
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const levelOptions = placeOptions('plan.levels', levelTable as Options);
export const serversOptions = [
  ...placeOptions('plan', { shape: shapeOption }),
  ...levelOptions,
  ...placeOptions(null, serversTable),
];
