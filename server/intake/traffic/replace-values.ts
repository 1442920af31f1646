import { placeholderPattern } from './secret-names.ts';

/**
 * Replaces any of many values in texts, the longest first where two begin at the same place, and leaves placeholders that are
 * there already as they are. Looks only where the first characters fit one of the values, so that thousands of values cost
 * little more than one.
 */
export function openReplacer(replacements: Map<string, string>): (text: string) => string {
  const replace = openPlainReplacer(replacements);
  return (text) =>
    text.includes('${secret:')
      ? text
          .split(placed)
          .map((part, index) => (index % 2 === 0 ? replace(part) : part))
          .join('')
      : replace(text);
}

const placed = new RegExp(`(${placeholderPattern.source})`);

function openPlainReplacer(replacements: Map<string, string>): (text: string) => string {
  // By its head the lengths of the values that begin so: of thousands that begin alike, few lengths are tried.
  const byHead = new Map<string, Set<number>>();
  for (const value of replacements.keys()) {
    if (value.length < headLength) continue;
    const head = value.slice(0, headLength);
    byHead.set(head, (byHead.get(head) ?? new Set()).add(value.length));
  }
  const lengths = new Map([...byHead].map(([head, found]) => [head, [...found].sort((a, b) => b - a)]));
  const firsts = new Uint8Array(65_536);
  for (const head of byHead.keys()) firsts[head.charCodeAt(0)] = 1;
  const seconds = new Uint8Array(65_536);
  for (const head of byHead.keys()) seconds[head.charCodeAt(1)] = 1;

  return (text) => {
    const parts: string[] = [];
    let kept = 0;
    for (let at = 0; at + headLength <= text.length; at++) {
      if (firsts[text.charCodeAt(at)] === 0 || seconds[text.charCodeAt(at + 1)] === 0) continue;
      const found = lengths
        .get(text.slice(at, at + headLength))
        ?.find((length) => replacements.has(text.slice(at, at + length)));
      if (found === undefined) continue;
      parts.push(text.slice(kept, at), replacements.get(text.slice(at, at + found)) ?? '');
      kept = at + found;
      at = kept - 1;
    }
    return kept === 0 ? text : parts.join('') + text.slice(kept);
  };
}

/** A shorter value stands in too many innocent words to be looked for everywhere. */
export const headLength = 4;
