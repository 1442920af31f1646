import { useEffect } from 'react';
import { guardHistory } from '../../../components/history-guard.ts';

/** Asks before a page with unsaved changes is closed, or left by one of its links or by the Back button. */
export function useLeaveGuard(touched: boolean): void {
  useEffect(() => {
    if (!touched) return;
    const mayLeave = () => window.confirm('Leave without saving your changes?');
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      if (!leaves(event) || mayLeave()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', onClose);
    // Before the router, which is told of the click on its way back up.
    document.addEventListener('click', onClick, { capture: true });
    const release = guardHistory(mayLeave);
    return () => {
      release();
      window.removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [touched]);
}

/** A click on a link within the dashboard, in this tab; the browser itself asks about any other. */
function leaves({ target, ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return false;
  const elsewhere = ctrlKey || metaKey || shiftKey || button !== 0 || link.origin !== location.origin;
  return !elsewhere && link.pathname !== location.pathname && !link.pathname.startsWith('/api/');
}
