import { inForm, inJson, inPath } from '../scenario/encodings.ts';
import { headLength } from './replace-values.ts';

/** The ways in which a value is written: plain, in a query, in a form, in JSON, in HTML, and in one of these inside of another. */
export function withSpellings(placeholders: Map<string, string>): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const [value, placeholder] of placeholders) {
    if (value.length < headLength) continue;
    for (const spelling of spellingsOf(value)) spelled.set(spelling, placeholder);
  }
  return spelled;
}

function spellingsOf(value: string): Set<string> {
  const once = writers.map((write) => write(value));
  const twice = once.flatMap((text) => (text === value ? [] : inside.map((write) => write(text))));
  const all = new Set([value, ...once, ...twice]);
  for (const text of [...all]) all.add(text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
  return all;
}

type Write = (value: string) => string;

const escapedAs = (names: Record<string, string>): Write => {
  const pattern = new RegExp(`[${Object.keys(names).join('')}]`, 'g');
  return (value) => value.replace(pattern, (character) => names[character] ?? character);
};
const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in a query, a query in JSON, and either in itself. */
const inside: Write[] = [inPath, inJson];

const writers: Write[] = [
  inPath,
  inForm,
  (value) => new URLSearchParams([['', value]]).toString().slice(1),
  inJson,
  (value) => inJson(value).replaceAll('/', '\\/'),
  // As serializers write it for pages, and those that keep to ASCII.
  (value) => inJson(value).replace(/[<>&'\u2028\u2029]/g, unicode),
  (value) => inJson(value).replace(/[^ -~]/g, unicode),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }),
];

/** Less would be found by chance. */
const leastBase64 = 8;

/**
 * What is certain of the Base64 of a text that the value is in, of each of its three places there: without the letters at
 * both ends, which depend on what stands beside the value.
 */
export function base64Spellings(value: string): string[] {
  const found = [0, 1, 2].flatMap((offset) => {
    const bytes = new TextEncoder().encode(' '.repeat(offset) + value);
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const certain = text.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return certain.length < leastBase64 ? [] : [certain];
  });
  return [...new Set(found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]))];
}
