import { problem } from '../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';

/**
 * The actions as they are done elsewhere: what they open or expect at the origin that they open first is at `origin` now.
 * Null leaves them where they are. Throws invalid_request when nothing is opened, or what is opened is no address or has no
 * origin and none is given.
 */
export function moveActions(
  actions: readonly BrowserAction[],
  origin: string | null,
): { actions: BrowserAction[]; url: string } {
  const first = actions.find((action) => action.type === 'goto');
  if (first === undefined)
    throw problem('invalid_request', 'The actions open no address, so there is nothing to begin at.');
  const written = URL.parse(first.url)?.origin ?? null;
  const base = origin ?? written;
  if (base === null || base === 'null') {
    throw problem(
      'invalid_request',
      `The actions open “${first.url.slice(0, 200)}”, which names no host; say where that is.`,
    );
  }
  const move = (text: string) => {
    if (origin !== null && written !== null && (text === written || text.startsWith(`${written}/`)))
      return origin + text.slice(written.length);
    return text.startsWith('/') ? base + text : text;
  };
  const moved = actions.map((action): BrowserAction => {
    if (action.type === 'goto') return { ...action, url: move(action.url) };
    if (action.type === 'expect_url' && action.match.type === 'text')
      return { ...action, match: { ...action.match, text: move(action.match.text) } };
    return action;
  });
  const url = URL.parse(move(first.url), base);
  if (url === null) {
    throw problem('invalid_request', `The actions open “${first.url.slice(0, 200)}”, which is no address.`);
  }
  return { actions: moved, url: url.href };
}
