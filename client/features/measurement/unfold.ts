import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Opens folded sections for links that point into them, scrolls there, and opens all of them for printing. */
export function useUnfolding(): void {
  const { hash } = useLocation();
  // The document comes after the page, so the browser has looked for the anchor too early.
  useEffect(() => showTarget(hash), [hash]);
  useEffect(() => {
    const again = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
      if (link !== null) showTarget(link.hash);
    };
    document.addEventListener('click', again);
    return () => document.removeEventListener('click', again);
  }, []);
  useEffect(unfoldInPrint, []);
}

function showTarget(hash: string): void {
  const target = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  if (target === null) return;
  const own = target.querySelector<HTMLDetailsElement>(':scope > details[data-fold]');
  if (own !== null) own.open = true;
  for (let fold = target.closest('details'); fold !== null; fold = outerOf(fold)) fold.open = true;
  target.scrollIntoView();
}

function outerOf(fold: HTMLDetailsElement): HTMLDetailsElement | null {
  return fold.parentElement?.closest('details') ?? null;
}

function unfoldInPrint(): () => void {
  const print = window.matchMedia('print');
  let opened: HTMLDetailsElement[] = [];
  const follow = () => {
    if (print.matches) {
      opened = [...document.querySelectorAll<HTMLDetailsElement>('details[data-fold]:not([open])')];
    }
    for (const fold of opened) fold.open = print.matches;
  };
  print.addEventListener('change', follow);
  return () => print.removeEventListener('change', follow);
}
