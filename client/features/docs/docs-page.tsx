import { useQuery } from '@tanstack/react-query';
import { Lexer } from 'marked';
import { useEffect, useMemo } from 'react';
import { useLocation, useNavigationType, useParams } from 'react-router';
import { docPages } from '../../../shared/base/doc-page.ts';
import { problem } from '../../../shared/base/problem.ts';
import { docQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { DocText } from './doc-text.tsx';
import classes from './docs.module.css';
import { DocsNavigation } from './docs-navigation.tsx';
import { sectionsOf } from './sections.ts';

export default function DocsPage() {
  const { page: asked = docPages[0].page } = useParams();
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
        <PageHead tab={page === 'guide' ? 'Docs' : title} title={title} />
        {tokens === null ? <Waiting>Opening the page</Waiting> : <DocText page={page} tokens={tokens} />}
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
