import type { Options } from '../base/option.ts';

/** Servers of this machine that can be started for a run, and the keys that their certificates can have. */
export const serverNames = [
  ...(['nginx', 'apache', 'lighttpd', 'caddy', 'h2o'] as const),
  ...(['haproxy', 'hitch', 'stunnel'] as const),
  ...(['envoy', 'go', 'jdk', 'node'] as const),
] as const;
export type ServerName = (typeof serverNames)[number];
export const serverKeys = [
  ...(['P-256', 'P-384'] as const),
  ...(['RSA-1024', 'RSA-2048', 'RSA-4096'] as const),
  ...(['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const),
] as const;
export type ServerKey = (typeof serverKeys)[number];

/** Options of kinds that start one server and change nothing else about it. */
export const oneServer = {
  server: {
    type: 'choice',
    choices: serverNames,
    default: 'nginx',
    spelledOut: true,
    hint: null,
    label: 'Server',
    help: 'Server to start',
    group: 'Server',
  },
  key: {
    type: 'choice',
    choices: serverKeys,
    default: 'P-256',
    hint: null,
    label: 'Certificate key',
    help: 'Its key',
    group: 'Server',
  },
} as const satisfies Options;

const group = 'Server on this machine';
const ofSide = { hint: null, group, perSide: true } as const;
const ofTls = { ...ofSide, ofTls: true } as const;

/** Options of a server on this machine that is started for a measurement. */
export const serverOptions = {
  key: {
    type: 'choice',
    choices: serverKeys,
    default: 'P-256',
    takes: 'kind',
    sideNames: { 'P-256': 'ECDSA P-256', 'P-384': 'ECDSA P-384' },
    label: 'Certificate key',
    help: 'Key of its certificate',
    group,
    perSide: true,
    ofTls: true,
    field: false,
  },
  chain: {
    ...ofTls,
    type: 'whole',
    min: 0,
    max: 3,
    default: 0,
    sideNames: { 0: 'no intermediates', 1: '1 intermediate', 2: '2 intermediates', 3: '3 intermediates' },
    label: 'Intermediate certificates',
    help: 'Intermediate certificates that it sends, with keys of the same kind',
  },
  workers: {
    ...ofSide,
    type: 'whole',
    min: 1,
    max: 64,
    default: 1,
    label: 'Worker processes',
    help: 'Its worker processes',
  },
  documents: {
    type: 'list',
    item: { type: 'whole', min: 0, max: 10_000_000 },
    most: 200,
    written: 'flags',
    unit: 'bytes',
    default: [10_000],
    flag: '--document',
    takes: 'bytes',
    label: 'Document size',
    group,
    help: 'Size of a document that it serves at `/{bytes}.html`',
    hint: 'Give several with spaces for a scenario that asks for them. Without one, the first is requested.',
    field: false,
  },
  keepAlive: {
    ...ofSide,
    type: 'flag',
    default: true,
    flag: '--no-keep-alive-at-server',
    sideNames: { true: 'keep-alive', false: 'no keep-alive' },
    label: 'Keep-alive',
    help: 'Keep connections open after a response',
    offHelp: 'Close each connection after one response',
  },
  resumption: {
    ...ofTls,
    type: 'flag',
    default: true,
    flag: '--no-resumption-at-server',
    sideNames: { true: 'with resumption', false: 'without resumption' },
    label: 'Session resumption',
    help: 'Resume TLS sessions, by tickets and by its cache',
    offHelp: 'Do not resume TLS sessions',
  },
  clientCertificates: {
    ...ofTls,
    type: 'flag',
    default: false,
    sideNames: { true: 'mutual TLS', false: 'no client certificate' },
    label: 'Client certificates (mutual TLS)',
    help: 'Require client certificates (mutual TLS)',
  },
  kTls: {
    ...ofTls,
    type: 'flag',
    default: false,
    flag: '--ktls',
    sideNames: { true: 'kernel TLS', false: 'TLS in the server' },
    label: 'Kernel TLS',
    help: 'Use kernel TLS, if kernel and server support it',
  },
  tickets: {
    ...ofTls,
    type: 'whole',
    min: 0,
    max: 8,
    default: null,
    when: { option: 'resumption', is: 'true' },
    sideNames: { 0: 'no tickets', 1: '1 ticket', 2: '2 tickets', 4: '4 tickets', null: 'usual tickets' },
    label: 'Session tickets',
    help: 'Session tickets that it sends on a new connection with TLS 1.3 (nginx, Apache, stunnel)',
    usual: 'as many as the server sends',
  },
  library: {
    ...ofTls,
    type: 'text',
    pattern: /^[A-Za-z0-9][\w.+-]{0,39}$/,
    taken: 'one name, such as openssl-3.5.0',
    default: null,
    sideNames: { null: 'its usual library' },
    label: 'TLS library',
    help: 'TLS library that it loads, by its name in `TLS_TOLL_LIBSSL`',
    usual: 'its own',
  },
  recordSize: {
    ...ofTls,
    type: 'whole',
    min: 1024,
    max: 16_384,
    unit: 'bytes',
    default: null,
    takes: 'bytes',
    sideNames: { 4096: '4 KiB records', 16384: '16 KiB records', null: 'usual records' },
    label: 'Record size',
    help: 'Most bytes of an answer in one TLS record (nginx)',
    usual: 'as large as the server makes them',
  },
} as const satisfies Options;
