import type { DocPage } from '../../../shared/base/doc-page.ts';

type DocLink =
  | { kind: 'section'; hash: string }
  | { kind: 'screen'; to: string }
  | { kind: 'elsewhere'; href: string }
  | { kind: 'nowhere' };

/**
 * Where a link in the text of a page leads. Texts link to each other's files (`method.md#launches`), so the links also work
 * where the files are read as they are.
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
