/**
 * Pages of the documentation in the order of their navigation: how to start, how to do things, how exact results are, reference.
 * The text of each is `public/docs/{page}.md`, under its title.
 */
export const docPages = [
  { page: 'guide', title: 'Guide' },
  { page: 'hosts', title: 'Other hosts' },
  { page: 'ci', title: 'In a build' },
  { page: 'sweeps', title: 'Sweeps' },
  { page: 'path', title: 'The path' },
  { page: 'team', title: 'For a team' },
  { page: 'runners', title: 'Runners' },
  { page: 'method', title: 'Method' },
  { page: 'figures', title: 'Figures' },
  { page: 'causes', title: 'Causes' },
  { page: 'glossary', title: 'Glossary' },
  { page: 'command-line', title: 'Command line' },
  { page: 'api', title: 'API' },
  { page: 'sql', title: 'SQL' },
  { page: 'contributing', title: 'Contributing' },
] as const;

export type DocPage = (typeof docPages)[number]['page'];

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
