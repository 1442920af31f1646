import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Opens folded sections for links that point into them, scrolls there, and opens those of a printed report for printing. */
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

/** Before the pages are laid out; the medium alone changes where print is only looked at. */
function unfoldInPrint(): () => void {
  const print = window.matchMedia('print');
  let opened: HTMLDetailsElement[] = [];
  const unfold = () => {
    const folded = document.querySelectorAll<HTMLDetailsElement>('details[data-printed="true"]:not([open])');
    opened = [...opened, ...folded];
    for (const fold of folded) fold.open = true;
  };
  const fold = () => {
    for (const each of opened) each.open = false;
    opened = [];
  };
  const follow = () => (print.matches ? unfold() : fold());
  print.addEventListener('change', follow);
  window.addEventListener('beforeprint', unfold);
  window.addEventListener('afterprint', fold);
  return () => {
    print.removeEventListener('change', follow);
    window.removeEventListener('beforeprint', unfold);
    window.removeEventListener('afterprint', fold);
  };
}
