import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { type DocPage, docPages } from '../../../shared/base/doc-page.ts';
import { anchorOf, plainTitle } from './sections.ts';

/** From one heading to the next; of a page's own title, the text before its first section. */
export type DocPart = {
  page: DocPage;
  pageTitle: string;
  /** Of the heading; empty for the title of the page. */
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
