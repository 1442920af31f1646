import { jsonLeaves } from './json-leaves.ts';
import { closedFields, mapTexts } from './map-texts.ts';
import { headLength } from './replace-values.ts';
import { replaceSpans } from './sent-values.ts';

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

/** What says of an element what it is, not what it holds. */
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
