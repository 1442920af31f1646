import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, type KeyboardEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type DocPage, docGroups, docPages } from '../../../shared/base/addresses.ts';
import { docQuery } from '../../api/queries.ts';
import { Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { printCount } from '../../format/printed-figures.ts';
import classes from './docs.module.css';

type Place = {
  /** Null for the API reference. */
  page: DocPage | null;
  sections: readonly DocSection[];
};

/** A search over all pages, the tree of pages, and the sections of the open one. On a phone, one group of pages is open at a time. */
export function DocsNavigation(place: Place) {
  const isNarrow = useMediaQuery('(max-width: 60rem)', false, { getInitialValueInEffect: false });
  return (
    <div className={classes.navigation}>
      <DocSearch />
      <nav aria-label="Documentation">
        {docGroups.map(({ group, pages }) => {
          const isOwn =
            place.page === null ? group === 'Reference' : pages.some(({ page }) => page === place.page);
          return isNarrow ? (
            <details key={group} name="docs" open={isOwn}>
              <summary>{group}</summary>
              <PageList group={group} pages={pages} {...place} />
            </details>
          ) : (
            <div key={group}>
              <p>{group}</p>
              <PageList group={group} pages={pages} {...place} />
            </div>
          );
        })}
      </nav>
    </div>
  );
}

type ListProps = Place & { group: string; pages: (typeof docGroups)[number]['pages'] };

function PageList({ group, pages, page, sections }: ListProps) {
  return (
    <ul aria-label={group}>
      {pages.map((line) => (
        <li key={line.page}>
          <Link to={`/docs/${line.page}`} aria-current={line.page === page ? 'page' : undefined}>
            {line.title}
          </Link>
          {line.page === page && sections.length > 0 ? (
            <ul className={classes.sections}>
              {sections.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
      {group === 'Reference' ? (
        <li>
          <Link to="/api/docs" aria-current={page === null ? 'page' : undefined}>
            API reference
          </Link>
        </li>
      ) : null}
    </ul>
  );
}

/** The page before and the one after, in the order of the tree. */
export function DocNeighbors({ page }: { page: DocPage }) {
  const place = docPages.findIndex((line) => line.page === page);
  const [previous, next] = [docPages[place - 1], docPages[place + 1]];
  return (
    <nav aria-label="Previous and next page" className={classes.neighbors}>
      {previous === undefined ? null : (
        <Link to={`/docs/${previous.page}`} rel="prev">
          <span aria-hidden="true">← </span>
          {previous.title}
        </Link>
      )}
      {next === undefined ? null : (
        <Link to={`/docs/${next.page}`} rel="next">
          {next.title}
          <span aria-hidden="true"> →</span>
        </Link>
      )}
    </nav>
  );
}

/** Parts in which every word of the query occurs: those whose heading has them first, then those whose text does. Parts of generated pages come last, unless the query is their heading. */
export function searchDocs(parts: readonly DocPart[], query: string): DocPart[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return parts
    .map((part) => ({ part, rank: rankOf(part, words) }))
    .map(({ part, rank }) => ({ part, rank: rank > 0 && isGenerated(part) ? rank + generatedRank : rank }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || headingLength(a) - headingLength(b))
    .map(({ part }) => part);
}

/** More than any rank. */
const generatedRank = 10;

function isGenerated({ page }: DocPart): boolean {
  return docPages.find((line) => line.page === page)?.generated ?? false;
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

/** The shortest heading with the words ranks first; matches in text keep the order of the pages. */
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

/** Longest excerpt in characters: two or three lines of the list. */
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

/** Text for comparison, of the same length. Apostrophes differ between pages and phone keyboards. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

/** The texts are those of the pages, read when somebody is about to search. */
const partsQuery = queryOptions({
  queryKey: ['doc-parts'],
  queryFn: async ({ client }) => {
    const texts = await Promise.all(docPages.map(({ page }) => client.ensureQueryData(docQuery(page))));
    return docPages.flatMap(({ page }, place) => partsOf(page, texts[place] ?? ''));
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** More than that nobody reads. */
const mostShown = 20;

/** A field, and below it what it finds for as long as the focus is in either. */
function DocSearch() {
  const [query, setQuery] = useState('');
  const [isWithin, setIsWithin] = useState(false);
  const { data: parts, error } = useQuery({ ...partsQuery, enabled: isWithin });
  const found = parts === undefined ? null : searchDocs(parts, query);
  const first = found?.[0];
  const navigate = useNavigate();
  const isAsked = isWithin && wordsOf(query).length > 0;
  return (
    <search
      className={classes.search}
      aria-label="Docs"
      onFocus={() => setIsWithin(true)}
      onBlur={({ currentTarget, relatedTarget }) => setIsWithin(currentTarget.contains(relatedTarget))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setQuery('');
        moveFocus(event);
      }}
    >
      <TextInput
        type="search"
        aria-label="Search the docs"
        placeholder="Search the docs"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={query}
        onChange={({ currentTarget: { value } }) => setQuery(value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && isAsked && first !== undefined) navigate(addressOf(first));
        }}
      />
      {isAsked ? (
        // A browser that gives a pressed link no focus gives it to this.
        <div className={classes.found} tabIndex={-1}>
          <ProblemNotice error={error} />
          {error === null && found === null ? <Waiting>Searching the docs</Waiting> : null}
          {found === null ? null : <FoundParts found={found} query={query} />}
        </div>
      ) : null}
    </search>
  );
}

function FoundParts({ found, query }: { found: readonly DocPart[]; query: string }) {
  return (
    <>
      <p role="status">{summaryOf(found.length)}</p>
      <ul>
        {found.slice(0, mostShown).map((part) => (
          <li key={addressOf(part)}>
            <Link to={addressOf(part)}>
              <strong>
                {part.anchor === '' ? null : `${part.pageTitle} › `}
                <Marked text={part.heading} query={query} />
              </strong>
              <Marked text={excerptOf(part, query)} query={query} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function summaryOf(count: number): string {
  if (count === 0)
    return 'No section of the docs has all of these words. Try fewer words, or part of a word: “resum” finds “resumption”.';
  if (count > mostShown)
    return `The first ${mostShown} of ${printCount(count, 'section')}. Add a word to narrow the search.`;
  return printCount(count, 'section');
}

function Marked({ text, query }: { text: string; query: string }) {
  return createElement('span', null, ...splitAtMatches(text, query).map(piece));
}

function piece(text: string, place: number): ReactNode {
  return place % 2 === 1 ? <mark>{text}</mark> : text;
}

function addressOf({ page, anchor }: DocPart): string {
  return `/docs/${page}${anchor === '' ? '' : `#${anchor}`}`;
}

/** Arrow keys go from the field through the links and back, Escape to the field. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const place = stops.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Escape: 0 }[event.key];
  const stop = next === undefined ? undefined : stops[next];
  if (stop === undefined) return;
  event.preventDefault();
  stop.focus();
}

/** From one heading to the next; of a page's own title, the text before its first section. */
export type DocPart = {
  page: DocPage;
  pageTitle: string;
  /** Anchor of the heading; empty for the title of the page. */
  anchor: string;
  heading: string;
  /** Paragraphs, entries of lists, rows of tables, and lines of code, without markup. */
  lines: string[];
};

export function partsOf(page: DocPage, markdown: string): DocPart[] {
  const pageTitle = docPages.find((line) => line.page === page)?.title ?? page;
  const parts: DocPart[] = [];
  for (const token of new Lexer().lex(markdown)) {
    if (token.type === 'heading') {
      const heading = token as Tokens.Heading;
      const anchor = heading.depth === 1 ? '' : anchorOf(heading);
      parts.push({ page, pageTitle, anchor, heading: plainTitle(heading), lines: [] });
    } else parts.at(-1)?.lines.push(...linesOf(token));
  }
  return parts;
}

function linesOf(token: Token): string[] {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'list':
      return known.items.flatMap(({ tokens }) => tokens.flatMap(linesOf));
    case 'blockquote':
      return known.tokens.flatMap(linesOf);
    case 'table':
      return [known.header, ...known.rows].map((cells) =>
        cells.map(({ tokens }) => plainText(tokens)).join(' · '),
      );
    case 'code':
      return known.text.split('\n').filter((line) => line.trim() !== '');
    case 'paragraph':
    case 'text':
      return [plainText([known])];
    default:
      return [];
  }
}

function plainText(tokens: readonly Token[]): string {
  return (tokens as readonly MarkedToken[])
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');
}

type DocSection = { id: string; title: string };

export function sectionsOf(tokens: readonly Token[]): DocSection[] {
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map((heading) => ({ id: anchorOf(heading), title: plainTitle(heading) }));
}

/** Makes an anchor by GitHub's rule, so that links also work where the file is read on GitHub. */
export function anchorOf(heading: Tokens.Heading): string {
  return plainTitle(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function plainTitle({ text }: Tokens.Heading): string {
  return text.replaceAll('`', '');
}
