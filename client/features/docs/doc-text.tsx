import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import type { DocPage } from '../../../shared/base/doc-page.ts';
import { DocInline } from './doc-inline.tsx';
import { DocTable } from './doc-table.tsx';
import classes from './docs.module.css';
import { anchorOf } from './sections.ts';

type Props = { page: DocPage; tokens: readonly Token[] };

/**
 * The text of a page as elements. Only what is listed here exists: Markdown's raw HTML has no element, so it cannot get into
 * the page. The title is left out, as the page has it already.
 */
export function DocText({ page, tokens }: Props) {
  return <div className={classes.docText}>{blocks(page, tokens)}</div>;
}

/** Blocks keep their place, so they need no keys. */
function blocks(page: DocPage, tokens: readonly Token[]): ReactNode {
  return createElement(Fragment, null, ...tokens.map((token) => block(page, token as MarkedToken)));
}

function block(page: DocPage, token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading':
      return token.depth === 1 ? null : heading(page, token);
    case 'paragraph':
      return <p>{inline(page, token.tokens)}</p>;
    case 'text':
      return inline(page, token.tokens ?? [token]);
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        null,
        ...token.items.map((item) => listItem(page, item)),
      );
    case 'table':
      return <DocTable page={page} table={token} />;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(page, token.tokens)}</blockquote>;
    default:
      return null;
  }
}

function heading(page: DocPage, token: Tokens.Heading): ReactNode {
  const id = anchorOf(token);
  return createElement(`h${token.depth}`, { id }, <a href={`#${id}`}>{inline(page, token.tokens)}</a>);
}

function listItem(page: DocPage, { tokens }: Tokens.ListItem): ReactNode {
  return <li>{blocks(page, tokens)}</li>;
}

function inline(page: DocPage, tokens: readonly Token[]): ReactNode {
  return <DocInline page={page} tokens={tokens} />;
}
