import type { usePlaces } from '../../shared/import.ts';
import { type Exchange, headerOf } from '../../shared/recording.ts';
import { parseExactly, textOfLeaf } from '../scenario/exact-json.ts';

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

const deepestJson = 50;

/** A body in which nothing is replaced stays as it was written, spaces and all. */
function mapJson(text: string, replace: Replace): string {
  let tree: unknown;
  try {
    tree = parseExactly(text);
  } catch {
    return text;
  }
  const replacements: string[] = [];
  // A number must become `${id}` without quotes, which no JSON value can say: hence a mark that is exchanged later.
  const mark = (index: number, quoted: boolean) => `\u0000${index}${quoted ? 'q' : 'n'}\u0000`;
  const mapped = walk(tree, '$', 0);
  if (replacements.length === 0) return text;
  return write(mapped).replace(/"\\u0000(\d+)([qn])\\u0000"/g, (_, index, kind) => {
    const replacement = replacements[Number(index)] ?? '';
    return kind === 'q' ? `"${replacement}"` : replacement;
  });

  function write(mapped: unknown): string {
    try {
      return JSON.stringify(mapped);
    } catch {
      // Nested deeper than it can be written.
      return text;
    }
  }

  function walk(node: unknown, path: string, depth: number): unknown {
    if (depth > deepestJson) return node;
    const leaf = textOfLeaf(node);
    if (leaf !== null) {
      const replaced = replace({ place: 'json', name: path, value: leaf });
      if (replaced === null) return node;
      replacements.push(replaced);
      return mark(replacements.length - 1, typeof node === 'string');
    }
    if (Array.isArray(node)) return node.map((inner, index) => walk(inner, `${path}[${index}]`, depth + 1));
    if (typeof node === 'object' && node !== null) {
      return Object.fromEntries(
        Object.entries(node).map(([key, inner]) => [key, walk(inner, jsonPathBelow(path, key), depth + 1)]),
      );
    }
    return node;
  }
}

export function jsonPathBelow(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
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
