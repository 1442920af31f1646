import { isSecretName } from './is-secret-name.ts';

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
