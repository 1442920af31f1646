import { TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createElement, type KeyboardEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { docPages } from '../../../shared/base/doc-page.ts';
import { docQuery } from '../../api/queries.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { printCount } from '../../format/count.ts';
import { type DocPart, partsOf } from './doc-parts.ts';
import classes from './docs.module.css';
import { excerptOf, searchDocs, splitAtMatches, wordsOf } from './search-docs.ts';

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
export function DocSearch() {
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
