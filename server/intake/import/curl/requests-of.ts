import type { RecordedHeaders } from '../../../../shared/scenario/recording.ts';
import { methodSchema } from '../../../../shared/scenario/scenario.ts';
import { asBytes } from '../as-bytes.ts';
import { connectionNote, connectionProblem, isOfConnection } from '../connection-headers.ts';
import { basicCredentials, type DraftRequest } from '../draft-request.ts';
import { writeForm } from './form-fields.ts';
import { ImportProblem } from './import-problem.ts';
import { type CurlAddress, readAddress } from './read-address.ts';
import { type GivenHeaders, headerProblem, readHeaders } from './request-headers.ts';
import type { CurlSettings } from './settings.ts';

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
