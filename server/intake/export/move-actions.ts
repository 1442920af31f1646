import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';

/** The same actions at another address: what was opened first is moved there, with all that belongs to it. */
export function moveActions(actions: readonly BrowserAction[], origin: string): BrowserAction[] {
  const from = actions.flatMap((action) =>
    action.type === 'goto' ? (URL.parse(action.url)?.origin ?? []) : [],
  )[0];
  if (from === undefined || from === 'null') return [...actions];
  const move = (url: string) =>
    url === from || url.startsWith(`${from}/`) ? origin + url.slice(from.length) : url;
  return actions.map((action) => {
    if (action.type === 'goto') return { ...action, url: move(action.url) };
    if (action.type !== 'expect_url' || action.match.type !== 'text') return action;
    return { ...action, match: { ...action.match, text: move(action.match.text) } };
  });
}
