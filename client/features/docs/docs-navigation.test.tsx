/** Protects the search over the documentation: every section is found by its heading first, and by all words of its text. */
import { readFileSync } from 'node:fs';
import { assert, constantFrom, integer, property, shuffledSubarray, tuple } from 'fast-check';
import { Lexer } from 'marked';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { type DocPage, docPages } from '../../../shared/base/addresses.ts';
import { type DocPart, excerptOf, partsOf, searchDocs, splitAtMatches, wordsOf } from './docs-navigation.tsx';
import { DocText } from './docs-page.tsx';

const markdownOf = (page: DocPage) =>
  readFileSync(new URL(`../../../public/docs/${page}.md`, import.meta.url), 'utf8');
const parts = docPages.flatMap(({ page }) => partsOf(page, markdownOf(page)));
const isGenerated = ({ page }: DocPart) => docPages.some((line) => line.page === page && line.generated);
const everyPart = constantFrom(...parts.filter((part) => !isGenerated(part)));
const withText = constantFrom(...parts.filter(({ lines }) => lines.length > 0));
const namesOf = (found: readonly DocPart[]) => found.map(({ page, anchor }) => `${page}#${anchor}`);
const textOf = ({ pageTitle, heading, lines }: DocPart) =>
  [pageTitle, heading, ...lines].join('\n').toLowerCase().replaceAll('’', "'");

test('the words of a heading find it first, in any case', () => {
  expect(parts.length).toBeGreaterThan(100);
  for (const { heading } of parts) {
    for (const query of [heading, heading.toUpperCase(), `  ${heading.toLowerCase()} `])
      expect(searchDocs(parts, query)[0]?.heading.toLowerCase()).toBe(heading.toLowerCase());
  }
});

test('the words of a heading find it before any text, in any order', () => {
  const shuffled = everyPart.chain((part) => {
    const words = wordsOf(part.heading);
    return tuple(constantFrom(part), shuffledSubarray(words, { minLength: words.length }));
  });
  assert(
    property(shuffled, ([part, words]) => {
      const found = searchDocs(parts, words.join(' '));
      const hasWords = ({ heading }: DocPart) =>
        words.every((word) => heading.toLowerCase().replaceAll('’', "'").includes(word));
      const ahead = found.slice(0, found.indexOf(part) + 1);
      expect(ahead.at(-1)).toBe(part);
      expect(ahead.filter((other) => !hasWords(other))).toEqual([]);
    }),
  );
});

/** A part, and some words of its text in any order. */
const wordsOfAPart = withText.chain((part) =>
  tuple(constantFrom(part), shuffledSubarray(wordsOf(part.lines.join(' ')), { minLength: 1, maxLength: 3 })),
);

test('what is found are all parts that have every word, at least one of them not only in the title of their page', () => {
  assert(
    property(wordsOfAPart, ([part, words]) => {
      const found = searchDocs(parts, words.join(' '));
      const expected = parts.filter(
        (other) =>
          words.every((word) => textOf(other).includes(word)) &&
          words.some((word) => textOf({ ...other, pageTitle: '' }).includes(word)),
      );
      expect(expected).toContain(part);
      expect(new Set(found)).toEqual(new Set(expected));
    }),
  );
});

test('an excerpt is a piece of the text around a word that was found', () => {
  assert(
    property(wordsOfAPart, ([part, words]) => {
      const excerpt = excerptOf(part, words.join(' '));
      const piece = excerpt.replace(/^… | …$/g, '');
      expect(part.lines.some((line) => line.includes(piece))).toBe(true);
      expect(excerpt.length).toBeLessThanOrEqual(150);
      const marked = splitAtMatches(excerpt, words.join(' ')).filter((_, place) => place % 2 === 1);
      expect(marked).not.toEqual([]);
    }),
  );
});

test('pieces are the text, and those that match are words of the query', () => {
  assert(
    property(wordsOfAPart, integer({ min: 0, max: 100 }), ([{ lines }, words], place) => {
      const text = lines[place % Math.max(1, lines.length)] ?? '';
      const pieces = splitAtMatches(text, words.join(' '));
      expect(pieces.join('')).toBe(text);
      for (const [at, piece] of pieces.entries())
        if (at % 2 === 1) expect(words).toEqual(expect.arrayContaining(wordsOf(piece)));
    }),
  );
});

test('a page becomes the parts below its headings, without markup', () => {
  const markdown = `# Guide

First **words** of [a link](method.md).

## \`serve\` it

- An \`entry\`
  - and one below

| Name | Value |
| --- | --- |
| *a* | \`1\` |

### Code

\`\`\`sh
npm start

npm test
\`\`\`

> As it was said.
`;
  expect(partsOf('share', markdown)).toEqual([
    {
      page: 'share',
      pageTitle: 'Share and report',
      anchor: '',
      heading: 'Guide',
      lines: ['First words of a link.'],
    },
    {
      page: 'share',
      pageTitle: 'Share and report',
      anchor: 'serve-it',
      heading: 'serve it',
      lines: ['An entry', 'and one below', 'Name · Value', 'a · 1'],
    },
    {
      page: 'share',
      pageTitle: 'Share and report',
      anchor: 'code',
      heading: 'Code',
      lines: ['npm start', 'npm test', 'As it was said.'],
    },
  ]);
});

const few = partsOf(
  'method',
  `# Method
## Series of runs
A load that grows.
## Load
Nothing else.
## Download
A series.
## Users
The load, then the series.
## Cores
One series of load.
`,
);

test.each([
  ['load', ['#load', '#download', '#series-of-runs', '#users', '#cores']],
  ['LOAD series', ['#series-of-runs', '#users', '#cores', '#download']],
  ['series of load', ['#cores', '#series-of-runs']],
  ['measures load', ['#load', '#download', '#series-of-runs', '#users', '#cores']],
  ['measures', []],
  ['handshake', []],
  ['.*', []],
  [' ', []],
])('%j finds headings, then text', (query, anchors) => {
  expect(namesOf(searchDocs(few, query))).toEqual(anchors.map((anchor) => `method${anchor}`));
});

test('parts of generated pages come last, unless the query is their heading', () => {
  const found = searchDocs(parts, 'port').map(isGenerated);
  expect(found).toContain(true);
  expect(found).toEqual(found.toSorted());
  expect(searchDocs(parts, 'compare')[0]).toMatchObject({ page: 'command-line', anchor: 'compare' });
});

test('a message is found by its words', () => {
  const first = (query: string) => searchDocs(parts, query)[0];
  expect(first('The target does not respond')).toMatchObject({ page: 'troubleshooting' });
  expect(first('port not available')).toMatchObject({ anchor: 'the-port-is-not-available' });
  expect(searchDocs(parts, 'nothing is listening on').map(({ page }) => page)).toContain('troubleshooting');
});

test.each(docPages)('every word that $page shows can be searched for', ({ page }) => {
  const tokens = new Lexer().lex(markdownOf(page));
  const html = renderToString(
    <MemoryRouter>
      <DocText page={page} tokens={tokens} />
    </MemoryRouter>,
  );
  const own = parts
    .filter((part) => part.page === page)
    .map(textOf)
    .join('\n');
  const shown = html.replace(/<[^>]*>|&\w+;|&#\w+;/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  expect(shown.length).toBeGreaterThan(80);
  expect(shown.filter((word) => !own.includes(word.toLowerCase()))).toEqual([]);
});
