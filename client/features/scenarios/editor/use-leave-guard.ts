import { useEffect } from 'react';

/** The browser asks before a page with unsaved changes is closed. */
export function useLeaveGuard(touched: boolean): void {
  useEffect(() => {
    if (!touched) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [touched]);
}
