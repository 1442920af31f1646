import type { MarkedToken, Token } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { DocPage } from '../../../shared/base/doc-page.ts';
import { resolveLink } from './resolve-link.ts';

/** A number and its unit stay on one line. */
const beforeUnit = /(?<=\d) (?=(?:%|µs|ms|s|kB|MB)(?!\p{L}))/gu;

type Props = { page: DocPage; tokens: readonly Token[] };

/** A line of text: words, emphasis, code, links, and pictures of this server. */
export function DocInline({ page, tokens }: Props) {
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
