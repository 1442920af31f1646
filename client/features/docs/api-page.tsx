import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import theirStyles from 'swagger-ui-dist/swagger-ui.css?url';
import address from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import { problem } from '../../../shared/base/problem.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import ourStyles from './api-reference.css?url&no-inline';
import classes from './docs.module.css';
import { DocsNavigation } from './docs-navigation.tsx';

/** Swagger UI over the description of the API. */
export default function ApiPage() {
  const [state, setState] = useState<'waiting' | 'shown' | 'failed'>('waiting');
  const room = useRef<HTMLDivElement>(null);
  useDarkMode();
  useMendedMarkup(room);
  useEffect(() => {
    loadSwagger().then(
      (show) => {
        if (room.current === null) return;
        // Links into it would be links within buttons; its highlighting cannot be read in the dark.
        show({ url: '/api/openapi.json', domNode: room.current, syntaxHighlight: false });
        setState('shown');
      },
      () => setState('failed'),
    );
  }, []);
  if (state === 'failed') throw problem('not_found', 'The files of the API reference could not be loaded.');
  return (
    <div className={classes.page}>
      <link rel="stylesheet" href={theirStyles} precedence="low" />
      <link rel="stylesheet" href={ourStyles} precedence="low" />
      <DocsNavigation page={null} sections={[]} />
      <article className={classes.docsPageText}>
        <PageHead tab="API reference" title="API reference" />
        {state === 'waiting' ? <Waiting>Opening the reference</Waiting> : null}
        <div ref={room} className="api-reference" />
      </article>
    </div>
  );
}

/** Swagger UI looks at a class of the root element. */
function useDarkMode(): void {
  const scheme = useComputedColorScheme();
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [scheme]);
}

/** Swagger UI leaves its choices without a name: each has that of its parameter. Its main part is a part of ours, below our title. */
function useMendedMarkup(room: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (room.current === null) return;
    const mended = new MutationObserver(() => {
      const { current } = room;
      for (const select of current?.querySelectorAll('select:not([aria-label], [id])') ?? []) {
        const row = select.closest<HTMLElement>('[data-param-name]');
        select.setAttribute('aria-label', row?.dataset.paramName ?? 'Value');
      }
      current?.querySelector('main')?.setAttribute('role', 'presentation');
      current?.querySelector('h1')?.setAttribute('aria-level', '2');
      current?.querySelector('.models h4')?.setAttribute('aria-level', '3');
    });
    mended.observe(room.current, { childList: true, subtree: true });
    return () => mended.disconnect();
  }, [room]);
}

type ShowSwagger = (options: { url: string; domNode: HTMLElement; syntaxHighlight: false }) => void;

let loading: Promise<ShowSwagger> | null = null;

/** Swagger UI as its authors built it, once a visit: it is larger than the rest of the dashboard. */
function loadSwagger(): Promise<ShowSwagger> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve((window as unknown as { SwaggerUIBundle: ShowSwagger }).SwaggerUIBundle);
    script.onerror = () => {
      loading = null;
      reject(new Error('swagger-ui-bundle.js'));
    };
    document.head.append(script);
  });
  return loading;
}
