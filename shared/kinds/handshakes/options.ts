import { groupNames, keyNames, tlsVersions } from '../../base/cipher-suites.ts';
import { type Options, placeOptions } from '../../base/option.ts';
import { certificateCodecs } from '../../base/tls.ts';
import { seedOption } from '../../measurement/load-options.ts';

export const handshakesPresets = ['classic', 'today', 'post-quantum', 'everything'] as const;
export const resumptions = ['full', 'resumed'] as const;

const presetTable = {
  grid: {
    type: 'choice',
    choices: handshakesPresets,
    default: 'today',
    flag: '--preset',
    spelledOut: true,
    label: 'What to measure',
    help: '`classic` (the table of 1997), `today`, `post-quantum`, or `everything`',
    group: 'Plan',
  },
} as const satisfies Options;

export const handshakesTable = {
  legacy: {
    type: 'flag',
    default: false,
    label: 'Include legacy',
    help: 'Allow TLS 1.0 and 1.1, RSA keys under 2,048 bits, and broken cipher suites',
    hint: 'TLS 1.0 and 1.1, keys under 2,048 bits, and broken suites.',
    group: 'Plan',
  },
  connections: {
    type: 'whole',
    min: 1,
    max: 100_000,
    default: null,
    flag: '--num',
    label: 'Connections per combination',
    help: 'Connections per combination',
    hint: null,
    placeholder: 'as many as fit',
    usual: '640, or fewer if time is short',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

/** Names are read by the plan, which knows the nearest valid one of each. */
const name = { type: 'text', pattern: /^.{1,60}$/, taken: 'names' } as const;
const axis = {
  type: 'list',
  most: 100,
  hint: null,
  group: 'Instead of a preset (each takes a list such as a,b; all combinations are measured)',
} as const;

/** The axes of a grid. One that is left out takes what fits the others. */
export const axesTable = {
  versions: {
    ...axis,
    item: {
      ...name,
      suggestions: tlsVersions,
      labels: { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2', 'TLSv1.1': 'TLS 1.1', TLSv1: 'TLS 1.0' },
    },
    ticked: true,
    flag: '--tls',
    takes: 'versions',
    label: 'Protocol',
    help: '`TLSv1.3`, `TLSv1.2`, `TLSv1.1`, or `TLSv1`',
  },
  keys: {
    ...axis,
    item: { ...name, suggestions: keyNames },
    ticked: true,
    flag: '--key',
    label: 'Certificate key',
    help: '`P-256`, `P-384`, `Ed25519`, `RSA-2048` to `RSA-4096`, `ML-DSA-44`, `ML-DSA-65`, or `ML-DSA-87`',
  },
  groups: {
    ...axis,
    item: { ...name, suggestions: groupNames },
    ticked: true,
    flag: '--group',
    label: 'Key agreement',
    help: 'Key agreement group, such as `X25519` or `X25519MLKEM768`',
  },
  resumption: {
    ...axis,
    item: { type: 'choice', choices: resumptions },
    most: 2,
    ticked: true,
    // On the command line it is --reuse or --no-reuse.
    flag: null,
    label: 'Handshakes',
    help: 'Full handshakes, resumed ones, or both',
  },
  /** The client sends so many, and gets them back. */
  bytes: {
    ...axis,
    item: { type: 'whole', min: 1, max: 10_485_760 },
    most: 20,
    takes: 'n',
    label: 'Bytes each way',
    help: 'Payload in each direction',
    usual: '1',
    placeholder: '1',
  },
  ciphers: {
    ...axis,
    item: name,
    flag: '--cipher',
    label: 'Cipher suites',
    help: 'Cipher suite, such as `ECDHE-RSA-AES128-GCM-SHA256` or `NULL-SHA256`',
    placeholder: 'all that fit',
  },
  chains: {
    ...axis,
    item: { type: 'whole', min: 0, max: 3 },
    most: 4,
    distinct: true,
    flag: '--chain',
    takes: 'n',
    label: 'Intermediate certificates',
    help: 'Intermediate certificates that the server sends',
    usual: '0',
    placeholder: '0',
  },
  compression: {
    ...axis,
    item: { type: 'choice', choices: ['none', ...certificateCodecs] },
    most: 4,
    distinct: true,
    ticked: true,
    flag: '--certificate-compression',
    takes: 'codecs',
    label: 'Certificate compression',
    help: 'How the server compresses its certificates (TLS 1.3)',
    usual: 'none',
  },
  /** If the guess is wrong, the server asks for the group in a HelloRetryRequest. Default: the right group. */
  guesses: {
    ...axis,
    item: name,
    flag: '--guess',
    label: 'Group the client tries first',
    help: 'Group the client tries first when the server wants another (TLS 1.3)',
    placeholder: 'the server’s',
  },
} as const satisfies Options;

export const presetOptions = placeOptions(null, presetTable);
export const gridOptions = [...placeOptions('grid', axesTable), ...placeOptions(null, handshakesTable)];
export const handshakesOptions = [...presetOptions, ...gridOptions];
