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
