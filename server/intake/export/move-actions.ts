import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { withAddresses } from '../traffic/move-actions.ts';

/** The same actions at another address: what was opened first is moved there, with all that belongs to it. */
export function moveActions(actions: readonly BrowserAction[], origin: string): BrowserAction[] {
  const from = actions.flatMap((action) =>
    action.type === 'goto' ? (URL.parse(action.url)?.origin ?? []) : [],
  )[0];
  if (from === undefined || from === 'null') return [...actions];
  return withAddresses(actions, (url) =>
    url === from || url.startsWith(`${from}/`) ? origin + url.slice(from.length) : url,
  );
}
