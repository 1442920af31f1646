import { isSecretName } from './spellings.ts';

/** A text or an attribute in XML, and where it stands. */
type XmlLeaf = {
  /** Name of the element or the attribute, without its prefix. */
  name: string;
  /** The text as it is written. */
  raw: string;
  /** Offsets of its first character and behind its last; white space around it is left out. */
  from: number;
  to: number;
};

/** The texts, CDATA sections and attributes of what looks like XML, in their order. What is broken in it is passed over. */
export function xmlLeaves(text: string): XmlLeaf[] {
  const leaves: XmlLeaf[] = [];
  const open: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; ) {
    const section = sections.find(({ begin }) => text.startsWith(begin, at));
    const end = text.indexOf(section?.end ?? '>', at);
    if (end < 0) break;
    if (section?.begin === cdata) add(open.at(-1) ?? '', at + cdata.length, end);
    else if (section === undefined) readTag(at + 1, end);
    const behind = end + (section?.end ?? '>').length;
    const next = text.indexOf('<', behind);
    if (next > behind && section?.begin !== '</') add(open.at(-1) ?? '', behind, next);
    if (section?.begin === '</') open.pop();
    at = next;
  }
  return leaves;

  function readTag(from: number, end: number): void {
    const tag = text.slice(from, end);
    const [name = ''] = /^[^\s/>]*/.exec(tag) ?? [];
    for (const { 1: attribute = '', 2: quoted = '', index, 0: all } of tag.matchAll(attributes)) {
      if (quoted === '') continue;
      const begin = from + index + all.length - quoted.length + 1;
      add(localName(attribute), begin, begin + quoted.length - 2);
    }
    if (!tag.endsWith('/')) open.push(localName(name));
  }

  function add(name: string, from: number, to: number): void {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (trimmed === '') return;
    const begin = from + raw.indexOf(trimmed);
    leaves.push({ name, raw: trimmed, from: begin, to: begin + trimmed.length });
  }
}

const cdata = '<![CDATA[';
const sections = [
  { begin: cdata, end: ']]>' },
  { begin: '<!--', end: '-->' },
  { begin: '<?', end: '?>' },
  { begin: '<!', end: '>' },
  { begin: '</', end: '>' },
];

const attributes = /([\w:.-]+)(?:\s*=\s*("[^"]*"|'[^']*'))?/g;

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** A value behind its name in a text of no known format, such as `password: "x"` in GraphQL, and where it stands. */
type LoosePair = { name: string; value: string; from: number; to: number };

/**
 * The secrets of a text whose format is not known: whatever stands behind a telling name and a `:` or a `=`, as in
 * GraphQL, scripts, lines of JSON, and addresses inside of other values. Quotes may be escaped, as in a text of JSON.
 */
export function loosePairs(text: string): LoosePair[] {
  const pairs: LoosePair[] = [];
  for (const { 0: head, 1: name = '', 2: mark = '', index } of text.matchAll(names)) {
    // `$password: String!` declares a variable.
    if (text[index - 1] === '$' || !isSecretName(name)) continue;
    const from = index + head.length;
    const found = quotedAt(text, from) ?? bareAt(text, from, mark);
    if (found !== null && found.to > found.from) {
      pairs.push({ name, value: text.slice(found.from, found.to), ...found });
    }
  }
  return pairs;
}

/** Begins where a word begins: a long text of letters is looked at once. */
const names =
  /(?<![\p{L}\p{M}\p{N}_-])([\p{L}_][\p{L}\p{M}\p{N}_-]{1,60})(?:\\{0,8}["'])?[ \t]{0,9}([:=])[ \t]{0,9}/gu;
const opening = /\\{0,8}["']/y;
const longest = 4096;

type Span = { from: number; to: number };

/** Up to the same quote, as escaped as the first; null when there is none. */
function quotedAt(text: string, at: number): Span | null {
  opening.lastIndex = at;
  const [quote] = opening.exec(text) ?? [];
  if (quote === undefined) return null;
  const from = at + quote.length;
  for (let to = from; to <= text.length - quote.length && to - from <= longest; to++) {
    if (text.startsWith(quote, to)) return { from, to };
    // One that is escaped once more belongs to the value.
    if (text[to] === '\\') to += quote.length;
  }
  return null;
}

/** Behind a colon only what has a digit: `password: required` is a sentence. */
function bareAt(text: string, at: number, mark: string): Span | null {
  bare.lastIndex = at;
  const [value = ''] = bare.exec(text) ?? [];
  if (value === '' || value.startsWith('$') || (mark === ':' && !/\d/.test(value))) return null;
  return { from: at, to: at + value.length };
}

const bare = /[^\s"'`&,;<>(){}[\]\\|]{1,4096}/y;

/** A text or a number in a JSON text, and where it stands. */
export type JsonLeaf = {
  /** Such as `$.items[0].id`. */
  path: string;
  /** A number as it is written, a text without its quotes and escapes. */
  value: string;
  isText: boolean;
  /** Offsets of its first character and behind its last, quotes included. */
  from: number;
  to: number;
};

/** Deeper ones are not looked at. */
const deepest = 50;

/** The leaves of a JSON text in their order; null when it is not JSON. */
export function jsonLeaves(text: string): JsonLeaf[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const leaves: JsonLeaf[] = [];
  const open: Level[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    const level = open.at(-1);
    if (character === '{' || character === '[') {
      open.push({
        path: open.length < deepest ? pathIn(level) : '',
        isList: character === '[',
        index: 0,
        key: null,
      });
      at += 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      at += 1;
    } else if (character === ',') {
      if (level !== undefined) {
        level.index += 1;
        level.key = null;
      }
      at += 1;
    } else if (character === '"') {
      const to = textEnd(text, at);
      const value = unquoted(text.slice(at, to));
      if (level !== undefined && !level.isList && level.key === null) level.key = value;
      else add({ value, isText: true, from: at, to });
      at = to;
    } else {
      const [number = ''] = numberAt(text, at);
      if (number !== '') add({ value: number, isText: false, from: at, to: at + number.length });
      at += Math.max(1, number.length);
    }
  }
  return leaves;

  function add(leaf: Omit<JsonLeaf, 'path'>): void {
    if (open.length <= deepest) leaves.push({ ...leaf, path: pathIn(open.at(-1)) });
  }
}

/** An object or a list that is open. The key is null until its value begins. */
type Level = { path: string; isList: boolean; index: number; key: string | null };

function pathIn(level: Level | undefined): string {
  if (level === undefined) return '$';
  return level.isList ? `${level.path}[${level.index}]` : jsonPathBelow(level.path, level.key ?? '');
}

function unquoted(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function textEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

const number = /-?\d[\d.eE+-]*/y;

function numberAt(text: string, at: number): string[] {
  number.lastIndex = at;
  return number.exec(text) ?? [];
}

/** The path of a value below another one: `$.user.name`, or `$['first name']` where a name needs it. */
export function jsonPathBelow(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
}
