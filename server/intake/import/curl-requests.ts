import type { RecordedHeaders } from '../../../shared/scenario/import.ts';
import { headerNameSchema, methodSchema } from '../../../shared/scenario/scenario.ts';
import { type CurlSettings, ImportProblem, trimmed, writeForm } from './curl-settings.ts';
import {
  asBytes,
  basicCredentials,
  connectionNote,
  connectionProblem,
  type DraftRequest,
  isOfConnection,
} from './draft-request.ts';

/**
 * The requests of a command, or of its part between two --next: one for each address, in the order in which curl sends
 * them. Throws ImportProblem for what a scenario cannot send.
 *
 * @param notes hears, in sentences, what differs
 */
export function* requestsOf(
  settings: CurlSettings,
  line: number,
  notes: Set<string>,
): Generator<DraftRequest> {
  const { addresses, data, query, get, target } = settings;
  refuseConflicts(settings);
  const method = methodOf(settings);
  const body = bodyOf(settings);
  const given = givenHeaders(settings, body, notes);
  const added = get && data !== null ? data : query;
  for (const written of addresses) {
    const address = readAddress(written, { ...settings, query: added });
    const headers = headersOf(settings, given, address, body, notes);
    const isRanged = headers.some(([name]) => name.toLowerCase() === 'range');
    yield {
      line,
      method,
      url: address.origin,
      path: target ?? address.path,
      headers,
      body: body?.text ?? null,
      ...(isRanged && { expectStatus: 206 }),
    };
  }
}

/** Options that curl rejects together, or combines in a way that is easy to misread. */
function refuseConflicts(settings: CurlSettings): void {
  const { addresses, data, query, get, head, forms, range, bearer, user } = settings;
  if (addresses.length === 0) throw new ImportProblem('The command has no address.');
  if (forms.length > 0 && (data !== null || get || head))
    throw new ImportProblem('-F cannot be combined with -d, -G, or -I.');
  if (data !== null && head && !get)
    throw new ImportProblem('-I cannot be combined with -d. Add -G to send the data in the address.');
  if (get && data !== null && query !== null)
    throw new ImportProblem('-G cannot be combined with --url-query.');
  if (range !== null && ((data !== null && !get) || forms.length > 0))
    throw new ImportProblem('-r cannot be combined with a body.');
  if (bearer !== null && user !== null)
    throw new ImportProblem('--oauth2-bearer cannot be combined with -u.');
}

function methodOf({ method, head, get, data, forms }: CurlSettings): DraftRequest['method'] {
  const sendsBody = (data !== null && !get) || forms.length > 0;
  const usual = head ? 'HEAD' : 'GET';
  const parsed = methodSchema.safeParse(method ?? (sendsBody ? 'POST' : usual));
  if (parsed.success) return parsed.data;
  const upper = method?.toUpperCase() ?? '';
  const hint = methodSchema.safeParse(upper).success
    ? ` curl sends it as it is written: use -X ${upper}.`
    : '';
  throw new ImportProblem(`The method ${method?.slice(0, 20)} is not supported.${hint}`);
}

type Body = { text: string; type: string };

function bodyOf({ data, get, forms }: CurlSettings): Body | null {
  if (forms.length > 0) {
    const { body, contentType } = writeForm(forms);
    return { text: body, type: contentType };
  }
  return data === null || get ? null : { text: data, type: 'application/x-www-form-urlencoded' };
}

function givenHeaders(settings: CurlSettings, body: Body | null, notes: Set<string>): GivenHeaders {
  const given = readHeaders(settings.headers);
  for (const name of takenAway(given, body)) {
    if (name === 'accept' || name === 'user-agent') notes.add(`-H removes ${name}. A run sends its own.`);
    else throw new ImportProblem(`-H removes ${name}, which a run sends with every such request.`);
  }
  return given;
}

/** curl leaves out a header of its own when -H names it. */
function headersOf(
  settings: CurlSettings,
  given: GivenHeaders,
  address: CurlAddress,
  body: Body | null,
  notes: Set<string>,
): RecordedHeaders {
  const headers = [
    ...ownHeaders(settings, address, body).filter(([name]) => !given.named.has(name)),
    ...withFormType(given, settings.forms.length > 0 ? body : null),
  ];
  for (const header of headers) {
    const problem = headerProblem(header) ?? connectionProblem(header, body?.text ?? null);
    const said = connectionNote(header, address.host);
    if (problem !== null) throw new ImportProblem(problem);
    if (said !== null) notes.add(said);
  }
  return headers.filter((header) => !isOfConnection(header));
}

/** Headers that `-H Name:` removes and the load generator sends. */
function takenAway({ named, sent }: GivenHeaders, body: Body | null): string[] {
  const written = ['accept', 'user-agent', 'host', ...(body === null ? [] : ['content-length'])];
  const isSent = (name: string) => sent.some(([candidate]) => candidate.toLowerCase() === name);
  return written.filter((name) => named.has(name) && !isSent(name));
}

function ownHeaders(settings: CurlSettings, { user }: CurlAddress, body: Body | null): RecordedHeaders {
  const { range, userAgent, compressed, referer, cookies, json } = settings;
  const headers: [name: string, value: string | null][] = [
    ['authorization', authorizationOf(settings, user)],
    ['range', range === null ? null : `bytes=${range}`],
    ['user-agent', userAgent],
    ['accept-encoding', compressed ? 'deflate, gzip, br, zstd' : null],
    ['referer', referer],
    ['cookie', cookies.length === 0 ? null : cookies.join(';')],
    ['content-type', json ? 'application/json' : (body?.type ?? null)],
    ['accept', json ? 'application/json' : null],
  ];
  return headers.flatMap(
    ([name, value]): RecordedHeaders => (value === null ? [] : [[name, asBytes(value)]]),
  );
}

/** The name before the host counts only where -u gives none. */
function authorizationOf({ bearer, user }: CurlSettings, inAddress: string | null): string | null {
  if (bearer !== null) return `Bearer ${bearer}`;
  const basic = user ?? inAddress;
  return basic === null ? null : basicCredentials(basic);
}

/** curl adds the boundary of the form to a type given with -H. */
function withFormType({ sent }: GivenHeaders, form: Body | null): RecordedHeaders {
  if (form === null) return sent;
  return sent.map(([name, value]) => {
    if (name.toLowerCase() !== 'content-type') return [name, value];
    if (value.toLowerCase() !== 'multipart/form-data')
      throw new ImportProblem('-F cannot be combined with another content type.');
    return [name, form.type];
  });
}

/** The headers of -H as curl reads them. */
type GivenHeaders = {
  sent: RecordedHeaders;
  /** In lower case; those that are only taken away among them. */
  named: ReadonlySet<string>;
};

/**
 * `Name: value` is sent, `Name;` is sent empty, `Name:` takes away what curl would send itself, and anything else is nothing.
 * White space around the value is not part of it.
 */
function readHeaders(lines: readonly string[]): GivenHeaders {
  const sent: RecordedHeaders = [];
  const named = new Set<string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const at = colon < 0 && line.endsWith(';') ? line.indexOf(';') : colon;
    if (at <= 0 || (colon < 0 && at < line.length - 1)) continue;
    const name = line.slice(0, at);
    // Other white space is a byte of a character here.
    const value = trimmed(asBytes(line.slice(at + 1)), ' \t');
    named.add(name.toLowerCase());
    if (value !== '' || colon < 0) sent.push([name, value]);
  }
  return { sent, named };
}

/** Why a scenario cannot have the header, as a sentence; null when it can. */
function headerProblem([name, value]: readonly [name: string, value: string]): string | null {
  if (!headerNameSchema.safeParse(name).success || name === '__proto__') {
    return 'A header has a name that HTTP does not allow.';
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    return `The header ${name} has control characters or line ends in its value.`;
  }
  return value.length > 8192 ? `The header ${name} is longer than 8,192 bytes.` : null;
}

/** An address as curl takes it apart. */
type CurlAddress = {
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
