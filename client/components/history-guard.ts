/** Asks before the Back or Forward button leaves a page. A link asks by itself, and the browser when the tab is closed. */

let guarded: { pathname: string; index: number; mayLeave(): boolean } | null = null;
let returning = false;

/** Until the returned function is called. */
export function guardHistory(mayLeave: () => boolean): () => void {
  guarded = { pathname: location.pathname, index: indexOf(history.state), mayLeave };
  return () => {
    guarded = null;
  };
}

/**
 * To be called before the router is mounted: a window calls its listeners in their order. The address has changed by then,
 * so a user who wants to stay is brought back, and the router sees neither.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (returning) {
      returning = false;
      event.stopImmediatePropagation();
    } else if (guarded?.pathname === location.pathname) {
      guarded.index = indexOf(event.state);
    } else if (guarded !== null && !guarded.mayLeave()) {
      event.stopImmediatePropagation();
      returning = true;
      history.go(guarded.index - indexOf(event.state) || 1);
    }
  });
}

/** The place of a page in the history, which the router keeps there; 0 where it does not. */
function indexOf(state: unknown): number {
  const index = (state as { idx?: unknown } | null)?.idx;
  return typeof index === 'number' ? index : 0;
}
