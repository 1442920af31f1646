import { ImportProblem } from './import-problem.ts';

/** An address as curl takes it apart. */
export type CurlAddress = {
  /** Such as `http://shop.example:8080`. */
  origin: string;
  /** Host and port as they are written. */
  host: string;
  /** Path and query, letter by letter. */
  path: string;
  /** `name:password` before the host; null for none. */
  user: string | null;
};

/**
 * Reads an address as curl does, which encodes nothing. Throws ImportProblem for what a scenario cannot send.
 * Source: RFC 3986, and urlapi.c of curl 7.88 and 8.
 *
 * @param query what -G and --url-query add
 */
export function readAddress(
  written: string,
  { pathAsIs, globOff, query }: { pathAsIs: boolean; globOff: boolean; query: string | null },
): CurlAddress {
  const address = globOff ? written : withoutEscapes(written);
  const [, scheme = null, afterScheme = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([\s\S]*)$/i.exec(address) ?? [];
  if (scheme !== null && !/^https?$/i.test(scheme)) throw importProblem('is not an HTTP or HTTPS address.');
  const [, authority = '', tail = ''] = /^([^/?#]*)([\s\S]*)$/.exec(afterScheme) ?? [];
  if (authority === '') throw importProblem('has no host.');
  if (scheme === null && /^https?:$/i.test(authority))
    throw importProblem('has one slash after its scheme. Write two.');
  const at = authority.indexOf('@');
  if (at !== authority.lastIndexOf('@')) throw importProblem('has more than one @ before its host.');
  const host = authority.slice(at + 1);
  if (scheme === null && /^(ftp|dict|ldap|imap|smtp|pop3)\./i.test(host)) {
    throw importProblem('has a host whose name stands for another protocol. Write http:// before it.');
  }
  const origin = URL.parse(`${scheme ?? 'http'}://${host}/`)?.origin;
  // A browser would take a backslash for a slash, and leave white space out.
  if (origin === undefined || /[^!-~\x80-\uffff]|\\/.test(host)) {
    throw importProblem('has a host or port that cannot be read.');
  }
  const user = at < 0 ? null : credentialsOf(authority.slice(0, at));
  return { origin, host, path: pathOf(tail, pathAsIs, query), user };
}

function importProblem(reason: string): ImportProblem {
  return new ImportProblem(`The address ${reason}`);
}

/** A backslash makes a bracket literal, and `[::1]` is a host. Any other bracket is a glob of curl. */
function withoutEscapes(address: string): string {
  const known = /\\([{}[\]])|\[[0-9a-f.]{0,40}:[0-9a-f.:]{0,40}(?:%[\w.-]{0,40})?\]/gi;
  if (/[{}[\]]/.test(address.replace(known, ''))) {
    throw importProblem(
      'has brackets, with which curl makes several addresses of one. Write each address, or add -g to send them as they are.',
    );
  }
  return address.replace(known, (all, literal) => literal ?? all);
}

function credentialsOf(text: string): string {
  const [name = '', ...rest] = text.split(':');
  try {
    return `${decodeURIComponent(name)}:${decodeURIComponent(rest.join(':'))}`;
  } catch {
    throw importProblem('has a name or password that cannot be decoded.');
  }
}

function pathOf(tail: string, pathAsIs: boolean, added: string | null): string {
  const [whole = ''] = tail.split('#', 1);
  const queryAt = whole.indexOf('?');
  const written = queryAt < 0 ? whole : whole.slice(0, queryAt);
  const path = written === '' ? '/' : written;
  const query = withAdded(queryAt < 0 ? null : whole.slice(queryAt + 1), added);
  const odd = /[^!-~]/.exec(path + (query ?? ''))?.[0];
  if (odd !== undefined) throw importProblem(oddCharacter(odd));
  const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
  if (hasDots && /%2e/i.test(path) && !pathAsIs) {
    throw importProblem('has %2e in its path, which versions of curl read differently. Write a dot.');
  }
  if (hasDots && pathAsIs && added !== null) {
    throw importProblem('has dots in its path, which versions of curl treat differently with a query added.');
  }
  const clean = hasDots && !pathAsIs ? withoutDots(path) : path;
  return query === null ? clean : `${clean}?${query}`;
}

/** An empty query stays a question mark. */
function withAdded(query: string | null, added: string | null): string | null {
  if (added === null || query === null || query === '') return added ?? query;
  return query.endsWith('&') ? query + added : `${query}&${added}`;
}

function oddCharacter(character: string): string {
  const isSpace = /[\s\x7f]/.test(character) || character < ' ';
  return isSpace
    ? 'has a space or a control character. Write a space as %20, or use --data-urlencode with -G.'
    : `has ${character}, which curl sends as it is and a scenario cannot. Write it percent-encoded.`;
}

/** Source: RFC 3986, 5.2.4. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  }
  return `/${kept.join('/')}`;
}
