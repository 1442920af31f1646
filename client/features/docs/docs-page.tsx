import { useQuery } from '@tanstack/react-query';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode, useEffect, useMemo } from 'react';
import { Link, useLocation, useNavigationType, useParams } from 'react-router';
import { type DocPage, docPages } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import { docQuery } from '../../api/queries.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import { ScrollRegion } from '../../components/data-table.tsx';
import classes from './docs.module.css';
import { anchorOf, DocNeighbors, DocsNavigation, sectionsOf } from './docs-navigation.tsx';

/** Page at `/docs`. */
const start: DocPage = 'quick-start';

export default function DocsPage() {
  const { page: asked = start } = useParams();
  const found = docPages.find(({ page }) => page === asked);
  if (found === undefined) throw problem('not_found', 'The documentation has no page with this address.');
  const { page, title } = found;
  const { data: text } = useQuery({ ...docQuery(page), throwOnError: true });
  const tokens = useMemo(() => (text === undefined ? null : new Lexer().lex(text)), [text]);
  useScrollTo(tokens !== null);
  return (
    <div className={classes.page}>
      <DocsNavigation page={page} sections={tokens === null ? [] : sectionsOf(tokens)} />
      <article className={classes.docsPageText}>
        <PageHead tab={page === start ? 'Docs' : title} title={title} />
        {tokens === null ? <Waiting>Opening the page</Waiting> : <DocText page={page} tokens={tokens} />}
        <DocNeighbors page={page} />
      </article>
    </div>
  );
}

/** The text comes after the page, so the browser has looked for the section too early. */
function useScrollTo(ready: boolean) {
  const location = useLocation();
  const arrived = useNavigationType() !== 'POP';
  useEffect(() => {
    if (!ready) return;
    const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (section !== null) section.scrollIntoView();
    else if (arrived) window.scrollTo(0, 0);
    // A link may lead to where one is already.
    const heading = section?.querySelector('a') ?? document.querySelector('h1');
    if (arrived) heading?.focus({ preventScroll: true });
  }, [ready, location, arrived]);
}

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

type TableProps = { page: DocPage; table: Tokens.Table };

/** Scrolls inside its box, which the keyboard can reach. Named by its columns, as Markdown has no captions. */
export function DocTable({ page, table: { header, rows } }: TableProps) {
  const columns = header.map(({ text }) => text.replace(/[`*_]/g, '')).filter((text) => text !== '');
  return (
    <div className={classes.box}>
      <ScrollRegion label={`Table: ${columns.join(', ')}`}>
        <table>
          <thead>{row(page, header)}</thead>
          {createElement('tbody', null, ...rows.map((cells) => row(page, cells)))}
        </table>
      </ScrollRegion>
    </div>
  );
}

function row(page: DocPage, cells: readonly Tokens.TableCell[]): ReactNode {
  return createElement('tr', null, ...cells.map((cell, column) => cellOf(page, cell, column === 0)));
}

function cellOf(
  page: DocPage,
  { header, align, text, tokens }: Tokens.TableCell,
  isFirst: boolean,
): ReactNode {
  const content = <DocInline page={page} tokens={tokens} />;
  if (header && text === '') return <td />;
  if (header)
    return (
      <th scope="col" data-align={align}>
        {content}
      </th>
    );
  if (isFirst && text !== '') return <th scope="row">{content}</th>;
  return (
    <td data-align={align} data-figure={isFigure(text)}>
      {content}
    </td>
  );
}

/** Such as `1.27 (1.24 to 1.30)`, which is read in one line. */
function isFigure(text: string): boolean {
  return /^[+±−\d]/.test(text) && text.length <= 28;
}

/** A number and its unit stay on one line. */
const beforeUnit = /(?<=\d) (?=(?:%|µs|ms|s|kB|MB)(?!\p{L}))/gu;

type InlineProps = { page: DocPage; tokens: readonly Token[] };

/** A line of text: words, emphasis, code, links, and pictures of this server. */
export function DocInline({ page, tokens }: InlineProps) {
  return createElement(Fragment, null, ...tokens.map((token) => piece(page, token as MarkedToken)));
}

function piece(page: DocPage, token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return token.text.replace(beforeUnit, '\u00a0');
    case 'strong':
      return (
        <strong>
          <DocInline page={page} tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <DocInline page={page} tokens={token.tokens} />
        </em>
      );
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return (
        <DocAnchor page={page} href={token.href}>
          <DocInline page={page} tokens={token.tokens} />
        </DocAnchor>
      );
    case 'image': {
      const source = resolveLink(page, token.href);
      return source.kind === 'elsewhere' ? <img src={source.href} alt={token.text} loading="lazy" /> : null;
    }
    default:
      return null;
  }
}

function DocAnchor({ page, href, children }: { page: DocPage; href: string; children: ReactNode }) {
  const link = resolveLink(page, href);
  switch (link.kind) {
    case 'section':
      return <a href={link.hash}>{children}</a>;
    case 'screen':
      return <Link to={link.to}>{children}</Link>;
    case 'elsewhere':
      return <a href={link.href}>{children}</a>;
    case 'nowhere':
      return children;
  }
}

type DocLink =
  | { kind: 'section'; hash: string }
  | { kind: 'screen'; to: string }
  | { kind: 'elsewhere'; href: string }
  | { kind: 'nowhere' };

/**
 * Target of a link in the text of a page. Pages link to each other's files (`method.md#launches`), so the links also work in the files
 * themselves.
 */
export function resolveLink(page: DocPage, href: string): DocLink {
  const file = new URL(`/docs/${page}.md`, 'http://this.invalid');
  if (!URL.canParse(href, file)) return { kind: 'nowhere' };
  const { origin, protocol, pathname, search, hash } = new URL(href, file);
  if (!['http:', 'https:'].includes(protocol)) return { kind: 'nowhere' };
  if (origin !== file.origin) return { kind: 'elsewhere', href };
  if (pathname === file.pathname && hash !== '') return { kind: 'section', hash };
  const screen = pathname.replace(/^(\/docs\/[a-z-]+)\.md$/, '$1');
  if (/^\/(api|deploy)\/|\.\w+$/.test(screen)) return { kind: 'elsewhere', href: pathname + search + hash };
  return { kind: 'screen', to: screen + search + hash };
}
