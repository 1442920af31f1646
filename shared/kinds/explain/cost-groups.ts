/** What CPU of a request goes to, in the order in which it is shown. */
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

/** What is in a group, in one sentence. */
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
