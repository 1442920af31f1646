import type { usePlaces } from '../../shared/import.ts';
import { type Exchange, headerOf } from '../../shared/recording.ts';
import { jsonLeaves } from './json-leaves.ts';

export type SentValue = { place: (typeof usePlaces)[number]; name: string; value: string };
type Sent = Pick<Exchange, 'path' | 'requestHeaders' | 'requestBody'>;

/**
 * Goes through every value that a request sends, decoded: segments of the path, fields of the query and of a form,
 * leaves of a JSON body, headers. What `replace` returns stands in place of the value, as it is; null leaves the value alone.
 */
export function mapSentValues<S extends Sent>(sent: S, replace: (value: SentValue) => string | null): S {
  const [path = '', query] = splitOnce(sent.path, '?');
  const segments = path.split('/').map((segment, index) => {
    if (segment === '') return segment;
    return replace({ place: 'path', name: `${index}`, value: decode(segment) }) ?? segment;
  });
  return {
    ...sent,
    path: segments.join('/') + (query === undefined ? '' : `?${mapFields(query, 'query', replace)}`),
    requestHeaders: sent.requestHeaders.map(([name, value]) => [name, mapHeader(name, value, replace)]),
    requestBody: mapBody(sent, replace),
  };
}

export function sentValues(sent: Sent): SentValue[] {
  const values: SentValue[] = [];
  mapSentValues(sent, (value) => {
    values.push(value);
    return null;
  });
  return values;
}

type Replace = (value: SentValue) => string | null;

/** A credential is the part after its scheme, as in `Bearer …`. */
function mapHeader(name: string, value: string, replace: Replace): string {
  const [, scheme = '', credential = value] = /^((?:Bearer|Basic|Token|JWT) +)(\S.*)$/i.exec(value) ?? [];
  const replaced = replace({ place: 'header', name: name.toLowerCase(), value: credential });
  return replaced === null ? value : scheme + replaced;
}

function mapBody(sent: Sent, replace: Replace): string | null {
  const body = sent.requestBody;
  if (body === null) return null;
  const type = headerOf(sent.requestHeaders, 'content-type') ?? '';
  if (/x-www-form-urlencoded/i.test(type)) return mapFields(body, 'form', replace);
  const boundary = /^multipart\/form-data\b.*\bboundary="?([^";]+)/is.exec(type)?.[1];
  if (boundary !== undefined) return mapParts(body, boundary, replace);
  // Scripts often send JSON as plain text, which needs nobody's leave from another origin.
  const isJson = /[/+]json/i.test(type) || (/^(text\/plain|$)/i.test(type) && /^\s*[{[]/.test(body));
  return isJson ? mapJson(body, replace) : body;
}

function mapFields(text: string, place: 'query' | 'form', replace: Replace): string {
  return text
    .split('&')
    .map((field) => {
      const [name = '', value] = splitOnce(field, '=');
      if (value === undefined || value === '') return field;
      const replaced = replace({ place, name: decode(name, true), value: decode(value, true) });
      return replaced === null ? field : `${name}=${replaced}`;
    })
    .join('&');
}

/** Parts of a multipart form, but for files. */
function mapParts(body: string, boundary: string, replace: Replace): string {
  const delimiter = `--${boundary}`;
  return body
    .split(delimiter)
    .map((part) => {
      const [, head = '', value = '', end = ''] = /^(\r?\n.*?\r?\n\r?\n)(.*?)(\r?\n)$/s.exec(part) ?? [];
      const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
      if (name === undefined || value === '' || /;\s*filename\*?=/i.test(head)) return part;
      const replaced = replace({ place: 'form', name, value });
      return replaced === null ? part : head + replaced + end;
    })
    .join(delimiter);
}

/** What is not replaced stays as it was written, spaces and all. */
function mapJson(text: string, replace: Replace): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { path, value, isText, from, to } of jsonLeaves(text) ?? []) {
    const replaced = replace({ place: 'json', name: path, value });
    if (replaced === null) continue;
    // A number becomes `${id}`, which has no quotes.
    parts.push(text.slice(kept, from), isText ? `"${replaced}"` : replaced);
    kept = to;
  }
  return parts.join('') + text.slice(kept);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** As it stands when it is not percent-encoded. */
export function decode(text: string, plusIsSpace = false): string {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
