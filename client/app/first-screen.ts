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

/**
 * When the element that has the focus is removed, the browser moves the focus to nowhere. Then the closest part of the page
 * around it that is left takes it, so that the keyboard and a screen reader go on where they were.
 */
export function keepFocus(root: HTMLElement): void {
  let held: Element | null = null;
  let around: HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    held = target as Element;
    around = partsAround(held, root);
  });
  root.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // Given up by a press beside it, not lost.
      if (held?.isConnected && document.activeElement === document.body) held = null;
    }),
  );
  new MutationObserver(() => {
    if (held === null || held.isConnected || document.activeElement !== document.body) return;
    const part = around.find((element) => element.isConnected);
    if (part === undefined) return;
    if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/** Closest first. */
function partsAround(element: Element, root: HTMLElement): HTMLElement[] {
  const part = element.parentElement?.closest<HTMLElement>('section, form, fieldset, dialog, article, main');
  return part == null || !root.contains(part) ? [] : [part, ...partsAround(part, root)];
}
