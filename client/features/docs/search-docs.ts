import type { DocPart } from './doc-parts.ts';

/** Parts in which every word of the query occurs: those whose heading has them first, then those whose text does. */
export function searchDocs(parts: readonly DocPart[], query: string): DocPart[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return parts
    .map((part) => ({ part, rank: rankOf(part, words) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || headingLength(a) - headingLength(b))
    .map(({ part }) => part);
}

/** 0 for what fits best; -1 where a word is missing. */
function rankOf({ pageTitle, heading, lines }: DocPart, words: readonly string[]): number {
  const inHeading = fold(heading);
  const inBoth = fold(`${pageTitle}\n${heading}`);
  const inLines = lines.map(fold);
  const inText = inLines.join('\n');
  const phrase = words.join(' ');
  // The title of a page alone would find every part of it.
  const isOwn = words.some((word) => inHeading.includes(word) || inText.includes(word));
  if (!isOwn || !hasAll(`${inBoth}\n${inText}`, words)) return -1;
  const fits = [
    inHeading === phrase,
    words.every((word) => beginsAWord(inHeading, word)),
    hasAll(inHeading, words),
    hasAll(inBoth, words) && words.some((word) => inHeading.includes(word)),
    inText.includes(phrase),
    words.some((word) => beginsAWord(inHeading, word)),
    inLines.some((line) => hasAll(line, words)),
    true,
  ];
  return fits.indexOf(true);
}

/** The first ranks are of headings that have the words. */
const headingRanks = 4;

/** Of such headings, the one with the fewest others is meant; text has the order of the pages. */
function headingLength({ part, rank }: { part: DocPart; rank: number }): number {
  return rank < headingRanks ? part.heading.length : 0;
}

function hasAll(folded: string, words: readonly string[]): boolean {
  return words.every((word) => folded.includes(word));
}

function beginsAWord(folded: string, word: string): boolean {
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(folded.charAt(at - 1))) return true;
  }
  return false;
}

/** As long as an excerpt may be: two or three lines of the list. */
const longest = 140;
/** How much of a line stands before its first match. */
const before = 40;

/** The line of a part that has the most of the query, cut to what surrounds it. */
export function excerptOf({ lines }: DocPart, query: string): string {
  const words = wordsOf(query);
  const phrase = words.join(' ');
  const found = (line: string) =>
    words.filter((word) => fold(line).includes(word)).length + (fold(line).includes(phrase) ? 1 : 0);
  const line = lines.reduce((best, next) => (found(next) > found(best) ? next : best), lines[0] ?? '');
  if (line.length <= longest) return line;
  const places = [phrase, ...words].map((word) => fold(line).indexOf(word));
  const match = places.find((place) => place !== -1) ?? 0;
  const from = match <= before ? 0 : wordStart(line, Math.min(match - before, line.length - longest), match);
  const to = from + longest >= line.length ? line.length : wordEnd(line, from + longest, match);
  return `${from === 0 ? '' : '… '}${line.slice(from, to).trim()}${to === line.length ? '' : ' …'}`;
}

/** The first word that starts at a place or after it. */
function wordStart(line: string, place: number, atMost: number): number {
  const space = line.indexOf(' ', place - 1);
  return space === -1 || space >= atMost ? place : space + 1;
}

function wordEnd(line: string, place: number, atLeast: number): number {
  const space = line.lastIndexOf(' ', place);
  return space <= atLeast ? place : space;
}

/** The text in pieces that take turns, the first of which matches no word of the query and may be empty. */
export function splitAtMatches(text: string, query: string): string[] {
  const longestFirst = wordsOf(query).sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((word) =>
    word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "['’]"),
  );
  return escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join('|')})`, 'giu'));
}

/** Each once. */
export function wordsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/))].filter((word) => word !== '');
}

/** As it is compared; of the same length. Pages and telephones write apostrophes in two ways. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}
