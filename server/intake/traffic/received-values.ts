import { type Exchange, headerOf } from '../../../shared/scenario/import.ts';
import { type Extraction, headerNameSchema, reservedHeaders } from '../../../shared/scenario/scenario.ts';
import { parseExactly, textOfLeaf } from '../scenario/pattern.ts';
import { decode } from './sent-values.ts';
import { jsonPathBelow } from './xml-leaves.ts';

/** A value in a response that a later request may send, where a rule can find it again. */
export type ReceivedValue = {
  value: string;
  /** The name of the field, key or header that holds it. */
  name: string;
  kind: 'hidden_input' | 'json' | 'header' | 'meta' | 'location' | 'text' | 'link';
  /** Null: seen, but no rule of a scenario can take it from there. */
  rule: ((variable: string) => Extraction) | null;
};

const limits = { valuesOfAResponse: 5000, valueLength: 4096, jsonDepth: 30 };

export function receivedValues(exchange: Exchange): ReceivedValue[] {
  const values: ReceivedValue[] = [];
  const type = headerOf(exchange.responseHeaders, 'content-type') ?? '';
  const body = exchange.responseBody;
  if (body !== null && /html/i.test(type)) values.push(...valuesOfHtml(body));
  if (body !== null && /[/+]json/i.test(type)) values.push(...valuesOfJson(body));
  values.push(...valuesOfHeaders(exchange));
  return values
    .filter(({ value }) => value !== '' && value.length <= limits.valueLength)
    .slice(0, limits.valuesOfAResponse);
}

/**
 * A value in the text of a response and in no field of it, such as in a script or a link. The rule looks for as much of
 * what stands before it as makes its first match the value. Null when the text does not have it as a word of its own.
 */
export function valueInText(body: string, value: string, name: string): ReceivedValue | null {
  let index = body.indexOf(value);
  while (index >= 0 && !isWord(body, index, value)) index = body.indexOf(value, index + 1);
  if (index < 0) return null;
  const [before = ''] = body
    .slice(Math.max(0, index - mostBefore), index)
    .split('\n')
    .slice(-1);
  const until = /["'\s<>&;,)\\]/.test(value) ? escapePattern(body[index + value.length] ?? '\n') : untilEnd;
  const patterns = [8, 16, 32, mostBefore].flatMap((length) => {
    const head = before.slice(-length);
    return head.length < 4 || head.includes('${') ? [] : [`${escapePattern(head)}([^${until}]+)`];
  });
  const pattern = patterns.find((each) => new RegExp(each).exec(body)?.[1] === value);
  return {
    ...{ value, name, kind: /\b(?:href|src|action)\s*=\s*["']?[^"'\s]*$/i.test(before) ? 'link' : 'text' },
    rule: pattern === undefined ? null : (variable) => ({ from: 'regex', variable, pattern }),
  };
}

const mostBefore = 60;
/** Characters that end a value in HTML, JSON and scripts. */
const untilEnd = String.raw`"'\s<>&;,)\\`;

function isWord(text: string, at: number, { length }: string): boolean {
  return !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + length] ?? '');
}

function valuesOfHtml(html: string): ReceivedValue[] {
  return [...tagsOf(html, 'input').flatMap(valueOfInput), ...tagsOf(html, 'meta').flatMap(valueOfMeta)];
}

function valueOfInput(tag: string): ReceivedValue[] {
  const { type, name, value } = attributesOf(tag);
  if (type?.toLowerCase() !== 'hidden' || !name || name.length > 200 || value === undefined) return [];
  return [
    { value, name, kind: 'hidden_input', rule: (variable) => ({ from: 'hidden_input', variable, name }) },
  ];
}

function valueOfMeta(tag: string): ReceivedValue[] {
  const { name, content } = attributesOf(tag);
  const before = /^(.*?\bcontent\s*=\s*)(["'])/is.exec(tag);
  if (!name || !content || before === null) return [];
  const [, head = '', quote = '"'] = before;
  const pattern = `${escapePattern(head + quote)}([^${quote}]+)`;
  const usable = pattern.length <= 500 && !head.includes('${');
  return [
    {
      value: content,
      name,
      kind: 'meta',
      rule: usable ? (variable) => ({ from: 'regex', variable, pattern }) : null,
    },
  ];
}

/** Start tags of that name. A tag without an end within 2,000 characters is none: that bounds the search. */
export function tagsOf(html: string, name: string): string[] {
  return html.match(new RegExp(`<${name}\\b[^<>]{0,2000}>`, 'gi')) ?? [];
}

/** By their names in lower case. Also of a tag that `tagsOf` cut at a `>` within a value, where a parser of HTML sees no tag. */
export function attributesOf(tag: string): Record<string, string | undefined> {
  const attributes: Record<string, string | undefined> = Object.create(null);
  for (const [, name = '', written, double, single, bare] of tag.matchAll(
    /([a-z][\w:-]*)(?:\s*=\s*("([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi,
  )) {
    if (written !== undefined)
      attributes[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '');
  }
  return attributes;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos));/gi,
    (_, decimal, hex, name) =>
      name
        ? (entities[name.toLowerCase()] ?? '')
        : String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16)),
  );
}

function valuesOfJson(text: string): ReceivedValue[] {
  let tree: unknown;
  try {
    tree = parseExactly(text);
  } catch {
    return [];
  }
  const values: ReceivedValue[] = [];
  collect(tree, '$', '', 0);
  return values;

  function collect(node: unknown, path: string, name: string, depth: number): void {
    if (depth > limits.jsonDepth || values.length >= limits.valuesOfAResponse || path.length > 500) return;
    const leaf = textOfLeaf(node);
    if (leaf !== null) {
      const rule = (variable: string): Extraction => ({ from: 'json_path', variable, path });
      values.push({ value: leaf, name, kind: 'json', rule });
    } else if (Array.isArray(node)) {
      for (const [index, inner] of node.entries()) collect(inner, `${path}[${index}]`, name, depth + 1);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, inner] of Object.entries(node))
        collect(inner, jsonPathBelow(path, key), key, depth + 1);
    }
  }
}

/** Headers about the connection, the cache or the jar, never with a value that a request repeats. */
const dullHeaders =
  /^(set-cookie|date|expires|age|cache-control|connection|keep-alive|content-(length|type|encoding|language)|transfer-encoding|vary|server|last-modified|accept-ranges|via|alt-svc|strict-transport-security|x-(frame-options|content-type-options|powered-by|xss-protection))$|^(access-control|content-security|cross-origin|report)-/i;

function valuesOfHeaders({ responseHeaders }: Exchange): ReceivedValue[] {
  return responseHeaders.flatMap(([name, value]): ReceivedValue[] => {
    if (dullHeaders.test(name)) return [];
    if (name.toLowerCase() === 'location') return valuesOfLocation(value);
    const rule = (variable: string): Extraction => ({ from: 'header', variable, name: name.toLowerCase() });
    const isName = headerNameSchema.safeParse(name).success;
    return [{ value, name, kind: 'header', rule: isName ? rule : null }];
  });
}

/** The segments and query values of a redirect's address, each with what stands before it as its pattern. */
function valuesOfLocation(location: string): ReceivedValue[] {
  const address = location.replace(/^[a-z]+:\/\/[^/]+/i, '').slice(0, 2000);
  return [...address.matchAll(/[/=]([^/?#&=]+)/g)].map(({ 1: part = '', index }) => {
    const before = address.slice(Math.max(0, index - 60), index + 1);
    const pattern = `${escapePattern(before)}([^/?#&]+)`;
    return {
      value: decode(part),
      name: lastName(before),
      kind: 'location',
      rule: before.includes('${')
        ? null
        : (variable: string): Extraction => ({ from: 'header', variable, name: 'location', pattern }),
    };
  });
}

/** `/orders/` names what follows it, and so does `?id=`. */
function lastName(before: string): string {
  return /([\w-]+)[^\w-]*$/.exec(before)?.[1] ?? 'location';
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Whether a recorded header belongs in a step. Not: what the generator writes, what a browser says about itself and
 * its cache, and the cookies, which a jar keeps. What servers decide by stays: Origin and Referer (each side's own, see
 * `withOwnOrigin`), Sec-Fetch-*, and Range.
 *
 * @param written whether a person wrote the request and so meant every header
 */
export function isStepHeader(name: string, written = false): boolean {
  const isReserved = (reservedHeaders as readonly string[]).includes(name.toLowerCase());
  return !isReserved && (written || !browserHeaders.test(name));
}

/** Whether a step leaves it out because the browser added it. Cookies are a case of their own. */
export function isBrowserHeader(name: string): boolean {
  return browserHeaders.test(name) && !/^cookie2?$/i.test(name);
}

const browserHeaders =
  /^(cookie2?|user-agent|accept-encoding|upgrade-insecure-requests|dnt|priority|pragma|cache-control|if-(none-match|modified-since|match|range|unmodified-since)|keep-alive|proxy-.*|sec-(?!fetch-).*|x-devtools-.*|x-client-data|save-data|via|x-forwarded-.*|forwarded|alt-used|purpose|trailers)$/i;
