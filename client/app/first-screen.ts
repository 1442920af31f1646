import type { QueryClient } from '@tanstack/react-query';
import { measurementQuery } from '../api/queries.ts';
import { measurementPage, runsPage } from './pages.ts';

/** A document that takes longer is awaited by the page itself, where something can be read meanwhile. */
const patienceMs = 250;

/**
 * Loads what the address needs before React starts, the code and the document side by side. Whatever fails here fails again on
 * the page, which says so.
 */
export async function openFirstScreen(pathname: string, queryClient: QueryClient): Promise<void> {
  const id = /^\/[rl]\/([0-9A-Za-z]{22})$/.exec(pathname)?.[1];
  if (id !== undefined) {
    const document = queryClient.prefetchQuery(measurementQuery(id));
    const moment = new Promise((resolve) => setTimeout(resolve, patienceMs));
    await Promise.allSettled([measurementPage.open(), Promise.race([document, moment])]);
  } else if (pathname === '/runs') {
    await runsPage.open().catch(() => undefined);
  } else {
    // From here the next step is usually a measurement: its page loads once somebody does something.
    const open = () => void measurementPage.open().catch(() => undefined);
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, open, { once: true });
  }
}
