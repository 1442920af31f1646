import { type Options, placeOptions } from '../../base/option.ts';
import { transportFacts, transports } from '../../base/transport.ts';
import { documentOption, seedOption, usersOption } from '../../measurement/load-options.ts';
import { serverKeys, serverNames } from '../../target/server-options.ts';
import { serverTitles, targetLabels } from '../../target/target-words.ts';

const names = {
  http: transportFacts.http.name,
  https: transportFacts.https.name,
  h2c: transportFacts.h2c.name,
  h2: transportFacts.h2.name,
};

/** The shop that is part of TLS Toll. */
export const storefront = 'storefront';

export const explainTable = {
  server: {
    type: 'choice',
    choices: [...serverNames, storefront],
    default: 'nginx',
    labels: { ...serverTitles, [storefront]: targetLabels.storefront },
    flag: '--target',
    spelledOut: true,
    label: 'Server',
    help: 'Server to start',
    hint: null,
    group: 'Sides',
  },
  baseline: {
    type: 'choice',
    choices: transports,
    default: 'http',
    labels: names,
    label: 'First side',
    help: 'Protocol of the first side',
    hint: null,
    group: 'Sides',
  },
  comparison: {
    type: 'choice',
    choices: transports,
    default: 'https',
    labels: names,
    label: 'Second side',
    help: 'Protocol of the second side',
    hint: null,
    group: 'Sides',
  },
  bytes: { ...documentOption, when: { option: 'server', isNot: storefront }, group: 'Server' },
  path: {
    type: 'text',
    pattern: /^\/(?![/\\])[^\s#]{0,1999}$/,
    taken: 'a path, such as /search',
    default: '/',
    takes: 'path',
    label: 'Path',
    when: { option: 'server', is: storefront },
    help: 'Path to request from the storefront, or from a running server',
    hint: null,
    group: 'Server',
  },
  key: {
    type: 'choice',
    choices: serverKeys,
    default: 'P-256',
    takes: 'kind',
    label: 'Certificate key',
    when: { option: 'server', isNot: storefront },
    help: 'Key of its certificate',
    hint: null,
    group: 'Server',
  },
  connectionPolicy: {
    type: 'choice',
    choices: ['keep-alive', 'connection-per-request'],
    default: 'keep-alive',
    labels: { 'keep-alive': 'All requests (keep-alive)', 'connection-per-request': 'One request' },
    label: 'Connections live for',
    help: 'How long connections live',
    hint: null,
    group: 'Plan',
  },
  users: { ...usersOption, when: { option: 'instructions', is: 'false' }, group: 'Plan' },
  instructions: {
    type: 'flag',
    default: false,
    when: { option: 'server', isNot: storefront },
    label: 'Count instructions instead',
    help: 'Count instructions with Valgrind instead of sampling CPU time. The counts are exact even on a busy machine, but leave out the kernel',
    hint: 'Valgrind counts one user’s requests. The counts are exact even on a busy machine, but leave out the kernel.',
    group: 'Plan',
  },
  launches: {
    type: 'whole',
    min: 3,
    max: 30,
    default: 5,
    when: { option: 'instructions', is: 'false' },
    flag: '--starts',
    label: 'Starts',
    help: 'How often to start the server',
    hint: 'About 13 s each.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const explainOptions = placeOptions(null, explainTable);

/** Groups of CPU use per request, in the order in which they are shown. */
export const costGroups = [
  'encryption',
  'keyAgreement',
  'signature',
  'hashing',
  'tls',
  'copying',
  'memory',
  'network',
  'receive',
  'files',
  'systemCalls',
  'scheduling',
  'application',
  'javascript',
  'compiling',
  'garbage',
  'other',
] as const;
export type CostGroup = (typeof costGroups)[number];

export const groupTitles: Record<CostGroup, string> = {
  encryption: 'TLS record encryption',
  keyAgreement: 'Key agreement',
  signature: 'Signatures',
  hashing: 'Hashing',
  tls: 'Rest of the TLS library',
  copying: 'Copying',
  memory: 'Memory allocation',
  network: 'Kernel TCP and sockets',
  receive: 'Peer’s receive path',
  files: 'Kernel files',
  systemCalls: 'System-call entry',
  scheduling: 'Scheduling',
  application: 'HTTP and application',
  javascript: 'JavaScript',
  compiling: 'Just-in-time compiler',
  garbage: 'Garbage collection',
  other: 'Other',
};

/** Content of each group, in one sentence. */
export const groupWords: Record<CostGroup, string> = {
  encryption: 'Encrypting, authenticating, and decrypting records.',
  keyAgreement:
    'Key pairs and shared secrets of handshakes, with the arithmetic and the random numbers for them.',
  signature: 'Signing and verifying in handshakes, with the arithmetic for it.',
  hashing: 'Digests, HMAC, and key derivation.',
  tls: 'Framing of records, buffers, and state of the TLS library.',
  copying: 'Copying between buffers, and between the kernel and the program.',
  memory: 'Allocating and freeing memory and socket buffers, and page faults.',
  network: 'TCP, IP, sockets, and waiting for them in the kernel.',
  receive: 'On loopback, the sender’s process does the receiver’s share of TCP, and wakes the receiver.',
  files: 'Opening and reading files in the kernel.',
  systemCalls: 'Entering and leaving the kernel, and finding the file of a descriptor.',
  scheduling: 'Switching between processes, waking them, timers.',
  application: 'Parsing HTTP, and everything else that the program does itself.',
  javascript: 'Functions of JavaScript, and the engine that runs them.',
  compiling: 'Compiling functions while the program runs: much of it means that the server was not warm yet.',
  garbage: 'Garbage collection of the runtime.',
  other: 'Functions that the table does not know.',
};
