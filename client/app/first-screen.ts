import type { QueryClient } from '@tanstack/react-query';
import { openKind } from './kinds.ts';
import { batchPage, docsPage, measurementPage, runsPage } from './pages.ts';

/** A document that takes longer is awaited by the page itself, where something can be read meanwhile. */
const patienceMs = 250;

/**
 * Loads what the address needs before React starts, the code and the document side by side. Whatever fails here fails again on
 * the page, which says so.
 */
export async function openFirstScreen(pathname: string, queryClient: QueryClient): Promise<void> {
  const id = /^\/[rl]\/([0-9A-Za-z]{22})$/.exec(pathname)?.[1];
  if (id !== undefined) {
    await Promise.allSettled([measurementPage.open(), fetchDocument(id, queryClient)]);
  } else if (pathname.startsWith('/b/')) {
    await batchPage.open().catch(() => undefined);
  } else if (pathname === '/runs') {
    await runsPage.open().catch(() => undefined);
  } else if (pathname.startsWith('/docs')) {
    await docsPage.open().catch(() => undefined);
  } else {
    // From here the next step is usually a measurement: its page loads once somebody does something.
    const open = () => void Promise.allSettled([measurementPage.open(), openKind('comparison')]);
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, open, { once: true });
  }
}

async function fetchDocument(id: string, queryClient: QueryClient): Promise<void> {
  const { measurementQuery } = await import('../api/result-queries.ts');
  const moment = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
  const shown = queryClient.fetchQuery(measurementQuery(id)).then(({ kind }) => openKind(kind));
  await Promise.race([shown, moment]);
}
