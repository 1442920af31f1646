import { type Exchange, headerOf, type usePlaces } from '../../../shared/scenario/import.ts';
import { closedFields, headLength, mapTexts } from './spellings.ts';
import { type JsonLeaf, jsonLeaves, loosePairs, xmlLeaves } from './xml-leaves.ts';

export type SentValue = {
  /** `xml` and `text` stand in bodies whose values no rule takes from a response. */
  place: (typeof usePlaces)[number] | 'xml' | 'text';
  name: string;
  value: string;
  /** Behind the word of a scheme in a header, such as Bearer. */
  isCredential?: true;
};
type Sent = Pick<Exchange, 'path' | 'requestHeaders' | 'requestBody'>;

/**
 * Goes through every value that a request sends, decoded: segments of the path, fields of the query and of a form,
 * leaves of a JSON or an XML body, headers. Whatever the type of a body says, JSON is what reads as JSON. What `replace` returns stands in place of the value, as it is; null leaves the value alone.
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
  const [, scheme = '', credential] = credentialPattern.exec(value) ?? [];
  const replaced = replace({
    ...{ place: 'header', name: name.toLowerCase(), value: credential ?? value },
    ...(credential === undefined ? {} : { isCredential: true }),
  });
  return replaced === null ? value : scheme + replaced;
}

const credentialPattern = /^((?:Bearer|Basic|Token|JWT|ApiKey|Negotiate|NTLM) +)(\S.*)$/i;

function mapBody(sent: Sent, replace: Replace): string | null {
  const body = sent.requestBody;
  if (body === null) return null;
  const type = headerOf(sent.requestHeaders, 'content-type') ?? '';
  const boundary = boundaryOf(type, body);
  if (boundary !== null) return mapParts(body, boundary, replace);
  const leaves = looksLikeJson(body) ? jsonLeaves(body) : null;
  if (leaves !== null) return mapJson(body, leaves, replace);
  if (/^\s*</.test(body)) return mapXml(body, replace);
  const isForm = /x-www-form-urlencoded/i.test(type) || plainForm.test(body);
  return isForm ? mapFields(body, 'form', replace) : mapText(body, replace);
}

/** Scripts send JSON under the type of a form, which curl gives it, or as plain text, which needs nobody's leave from another origin. */
function looksLikeJson(body: string): boolean {
  return /^\s*[{["]/.test(body);
}

const plainForm = /^[^=&\s<>{}"]{1,200}=[^&\s]*(?:&[^=&\s<>{}"]{1,200}=[^&\s]*)*$/;

function boundaryOf(type: string, body: string): string | null {
  const [, named] = /^multipart\/form-data\b.*\bboundary="?([^";]+)/is.exec(type) ?? [];
  if (named !== undefined) return named;
  const [, seen] = /^--([^\r\n]{1,70})\r?\ncontent-disposition:/i.exec(body) ?? [];
  return seen ?? null;
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
      const [, head = '', rest = ''] = /^(\r?\n.*?\r?\n\r?\n)(.*)$/s.exec(part) ?? [];
      const [end = ''] = /\r?\n$/.exec(rest) ?? [];
      const value = end === '' ? '' : rest.slice(0, -end.length);
      const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
      if (name === undefined || value === '' || /;\s*filename\*?=/i.test(head)) return part;
      const replaced = replace({ place: 'form', name, value });
      return replaced === null ? part : head + replaced + end;
    })
    .join(delimiter);
}

/** Text that is not replaced stays as it was written, spaces and all. */
function mapJson(text: string, leaves: readonly JsonLeaf[], replace: Replace): string {
  return replaceSpans(text, leaves, ({ path, value, isText }) => {
    const replaced = replace({ place: 'json', name: path, value });
    // A number becomes `${id}`, which has no quotes.
    return replaced !== null && isText ? `"${replaced}"` : replaced;
  });
}

function mapXml(text: string, replace: Replace): string {
  return replaceSpans(text, xmlLeaves(text), ({ name, raw }) => replace({ place: 'xml', name, value: raw }));
}

function mapText(text: string, replace: Replace): string {
  return replaceSpans(text, loosePairs(text), ({ name, value }) => replace({ place: 'text', name, value }));
}

/** Replaces spans of a text; the text between them stays. */
function replaceSpans<Span extends { from: number; to: number }>(
  text: string,
  spans: readonly Span[],
  replace: (span: Span) => string | null,
): string {
  const parts: string[] = [];
  let kept = 0;
  for (const span of spans) {
    const replaced = span.from < kept ? null : replace(span);
    if (replaced === null) continue;
    parts.push(text.slice(kept, span.from), replaced);
    kept = span.to;
  }
  return parts.join('') + text.slice(kept);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** Decodes percent-encoding; other text stays. */
export function decode(text: string, plusIsSpace = false): string {
  const spaced = plusIsSpace ? text.replaceAll('+', ' ') : text;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * Secrets that are words of the language or of the traffic itself, such as `secret`, `password` or the name of a field. They are replaced
 * where a value is one of them, and nowhere inside of a text: there the same letters are names and syntax.
 * @param names that the traffic uses
 */
export function openCommonWords(names: Iterable<string>): (value: string) => boolean {
  const joined = [...names].join('\n');
  return (value) => value.length >= headLength && (plainWord.test(value) || joined.includes(value));
}

const plainWord = /^[A-Za-z]{1,12}$/;

/** Attributes that describe an element, not its content. */
const structure = 'name|type|id|for|class|method|rel|autocomplete|action|href|src|charset|boundary';

/** Such words behind a name inside of a text, as in `a=1&password=secret` and `{"password":"secret"}`. */
export function openPairReplacer(placeholders: ReadonlyMap<string, string>): (text: string) => string {
  if (placeholders.size === 0) return (text) => text;
  const words = [...placeholders.keys()].map((word) => RegExp.escape(word)).join('|');
  const pattern = new RegExp(
    `(?<=[\\w\\]"'](?:=|%3D|:\\s?)(?:\\\\?["']|%22)?)(?<!\\$\\{secret:)(?<!\\b(?:${structure})=["']?)(?:${words})(?![\\w-])`,
    'gi',
  );
  return (text) => text.replace(pattern, (word) => placeholders.get(word) ?? word);
}

/** A locator says what a page has. */
const unchanged: ReadonlySet<string> = new Set([...closedFields, 'locator']);

/** Texts that are such a word, in what a recorder tells. */
export function replaceWhole<Value>(value: Value, placeholders: ReadonlyMap<string, string>): Value {
  if (placeholders.size === 0) return value;
  return mapTexts(value, (text) => placeholders.get(text) ?? text, unchanged);
}

/** Values of a response that are such a word: leaves of JSON, and what the fields of a page hold. */
export function replaceReceived(text: string, placeholderOf: (value: string) => string | undefined): string {
  const leaves = /^\s*[{[]/.test(text) ? jsonLeaves(text) : null;
  if (leaves !== null) {
    return replaceSpans(text, leaves, ({ value, isText }) => {
      const placeholder = placeholderOf(value);
      return placeholder === undefined ? null : isText ? `"${placeholder}"` : placeholder;
    });
  }
  return text.replace(fieldValue, (whole, head: string, quote: string, value: string) => {
    const placeholder = placeholderOf(value);
    return placeholder === undefined ? whole : head + quote + placeholder + quote;
  });
}

const fieldValue =
  /(<(?:input|meta|option|button)\b[^<>]{0,2000}?\b(?:value|content)\s*=\s*)(["'])([^"'<>]{1,200})\2/gi;
