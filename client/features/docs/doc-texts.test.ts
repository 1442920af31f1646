/** Protects the texts of the documentation: they fit their pages, and every link in them leads somewhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lexer, type Token, type Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { docPages } from '../../../shared/base/addresses.ts';
import { oldWordsIn } from '../../../shared/testing/old-words.ts';
import { anchorOf } from './docs-navigation.tsx';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = [
  'README.md',
  '.github/CONTRIBUTING.md',
  'server/bench/FIGURES.md',
  ...docPages.map(({ page }) => `public/docs/${page}.md`),
];
const read = (file: string) => new Lexer().lex(readFileSync(join(root, file), 'utf8'));

test.each(docPages)('$page begins with its title', ({ page, title }) => {
  expect(read(`public/docs/${page}.md`)[0]).toMatchObject({ type: 'heading', depth: 1, text: title });
});

test('the README is short enough to be read', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(91);
});

test('the documentation is short enough to be read, without what is generated', () => {
  const texts = docPages.flatMap(({ page, generated }) => (generated ? [] : [handWritten(page)]));
  const words = [withoutTables('README.md'), ...texts].join('\n').match(/\S*[\p{L}\d]\S*/gu);
  expect(words?.length).toBeLessThanOrEqual(14_000);
});

test('the documentation has none of the words that the terms replaced', () => {
  // The API keeps its names, and the columns of SQL are explained with them.
  const pages = docPages.filter(({ page }) => !['api', 'sql', 'glossary', 'command-line'].includes(page));
  const texts = [
    readFileSync(join(root, 'README.md'), 'utf8'),
    ...pages.map(({ page }) => handWritten(page)),
  ];
  const prose = texts.map((text) => text.replace(/```.*?```|\]\([^)]*\)/gs, ' '));
  expect(prose.flatMap(oldWordsIn).filter((found) => !found.includes('Chromium'))).toEqual([]);
});

/** A page without its generated parts: tables, causes, the advice of problems, and the columns of SQL views. */
function handWritten(page: string): string {
  const text = withoutTables(`public/docs/${page}.md`);
  if (page === 'outcomes') return text.split(/^### /m)[0] ?? '';
  if (page === 'sql') return text.replace(/^- `.*$/gm, '');
  return page === 'troubleshooting' ? text.replace(/^(?:###.*|`\w+`: .*)$/gm, '') : text;
}

/** Without tables that tests write from the code or from the figures of benches. */
function withoutTables(path: string): string {
  const tables = /^\| (?:Question \| `|Quiet machine|Next to two|Compared with itself).*\n(?:\|.*\n)*/gm;
  return readFileSync(join(root, path), 'utf8').replace(tables, '');
}

test('every link of the program to a page of the documentation leads there', () => {
  const sources = globSync('{client,server,shared}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !path.includes('.test.'),
  );
  const links = sources.flatMap((path) => [
    ...readFileSync(join(root, path), 'utf8').matchAll(/(?<![\w.])\/docs\/([a-z-]+)(?:#([a-z-]+))?/g),
  ]);
  expect(links.length).toBeGreaterThan(10);
  const isThere = (page: string, anchor = '') =>
    docPages.some((line) => line.page === page) &&
    leadsSomewhere('public/docs/any.md', `${page}.md${anchor === '' ? '' : `#${anchor}`}`);
  expect(links.filter(([, page = '', anchor]) => !isThere(page, anchor)).map(([link]) => link)).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const tokens = read(file);

  test('has no two sections with the same anchor', () => {
    const anchors = anchorsOf(tokens);
    expect(anchors).toEqual([...new Set(anchors)]);
  });

  test('holds only what a page can render', () => {
    const known = [
      'heading',
      'paragraph',
      'text',
      'list',
      'list_item',
      'table',
      'code',
      'blockquote',
      'space',
    ];
    const inline = ['strong', 'em', 'codespan', 'link', 'image', 'escape'];
    expect(everyToken(tokens).filter(({ type }) => ![...known, ...inline].includes(type))).toEqual([]);
  });

  test('links to what there is', () => {
    const broken = everyToken(tokens)
      .filter((token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image')
      .filter(({ href }) => !/^https?:|^\//.test(href))
      .filter(({ href }) => !leadsSomewhere(file, href));
    expect(broken.map(({ href }) => href)).toEqual([]);
  });
});

function leadsSomewhere(file: string, href: string): boolean {
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  return existsSync(join(root, target)) && (anchor === undefined || anchorsOf(read(target)).includes(anchor));
}

function anchorsOf(tokens: readonly Token[]): string[] {
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((heading) => anchorOf(heading));
}

function everyToken(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...everyToken(childrenOf(token))]);
}

function childrenOf(token: Token): Token[] {
  const { tokens = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
  return [...tokens, ...items, ...(token.type === 'table' ? cellsOf(token as Tokens.Table) : [])];
}

function cellsOf({ header, rows }: Tokens.Table): Token[] {
  return [...header, ...rows.flat()].flatMap(({ tokens }) => tokens);
}
