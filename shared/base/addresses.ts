const tree = [
  {
    group: 'Start',
    pages: [
      { page: 'quick-start', title: 'Quick start' },
      { page: 'first-result', title: 'Your first result, line by line' },
      { page: 'your-application', title: 'Your own application' },
    ],
  },
  {
    group: 'How to',
    pages: [
      { page: 'plain-http', title: 'Serve plain HTTP next to HTTPS' },
      { page: 'tls-settings', title: 'Compare TLS settings' },
      { page: 'scenarios', title: 'Record a scenario' },
      { page: 'ci', title: 'Test in CI' },
      { page: 'hosts', title: 'Measure a remote host' },
      { page: 'generators', title: 'Load from several hosts' },
      { page: 'distance', title: 'Simulate distance' },
      { page: 'mesh', title: 'Measure a proxy or mesh' },
      { page: 'explain', title: 'Explain the CPU' },
      { page: 'bill', title: 'Price your traffic' },
      { page: 'share', title: 'Share and report' },
      { page: 'team', title: 'Run for a team' },
      { page: 'runners', title: 'Add runners' },
    ],
  },
  {
    group: 'Understand',
    pages: [
      { page: 'method', title: 'How it measures' },
      { page: 'figures', title: 'How exact it is' },
      { page: 'limits', title: 'When not to use it' },
      { page: 'boss', title: 'Tell your boss' },
      { page: 'studies', title: 'What the studies found' },
    ],
  },
  {
    group: 'Reference',
    pages: [
      { page: 'outcomes', title: 'Outcomes and messages' },
      { page: 'glossary', title: 'Glossary', generated: true },
      { page: 'settings', title: 'Settings', generated: true },
      { page: 'command-line', title: 'Command line', generated: true },
      { page: 'api', title: 'API' },
      { page: 'sql', title: 'SQL' },
      { page: 'permalinks', title: 'Permalinks' },
    ],
  },
  {
    group: 'Help',
    pages: [
      { page: 'faq', title: 'FAQ' },
      { page: 'troubleshooting', title: 'Troubleshooting by message' },
    ],
  },
] as const;

export type DocPage = (typeof tree)[number]['pages'][number]['page'];

type DocLine = { page: DocPage; title: string; generated?: true };

/**
 * Pages of the documentation as a tree, in the order in which they are read. The text of each is `public/docs/{page}.md`, under its
 * title. A search lists generated pages last, unless it names one of their headings.
 */
export const docGroups: readonly { group: string; pages: readonly DocLine[] }[] = tree;

export const docPages = docGroups.flatMap(({ pages }) => pages);

/** The ID of a result in what somebody pasted: the ID itself, or a link to the result, whatever the server; else null. */
export function idInText(text: string): string | null {
  const [, ofLink, alone] = form.exec(text.trim()) ?? [];
  return ofLink ?? alone ?? null;
}

const form =
  /^(?:(?:https?:\/\/[^/\s]+)?\/[rl]\/([0-9A-Za-z]{22})(?:\.[a-z]+)?(?:[?#]\S*)?|([0-9A-Za-z]{22}))$/;

/** Path prefix of the API. */
export const apiPrefix = '/api/v1';

/**
 * Whether a host is this machine: `localhost`, 127.0.0.0/8, or ::1, with or without brackets. A name that is looked up could mean
 * anything, so `localhost` is the only one.
 */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return plain === 'localhost' || plain === '::1' || /^127(\.\d{1,3}){3}$/.test(plain);
}

/** The same of a target: names below `localhost` never lead elsewhere (RFC 6761). */
export function isThisMachine(host: string): boolean {
  return isLoopback(host) || host.toLowerCase().endsWith('.localhost');
}
