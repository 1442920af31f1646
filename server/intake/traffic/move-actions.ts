import { problem } from '../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { resolveReference } from '../../base/addresses/origin.ts';

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
  const url = resolveReference(move(first.url), base);
  if (url === null) {
    throw problem('invalid_request', `The actions open “${first.url.slice(0, 200)}”, which is no address.`);
  }
  return { actions: withAddresses(actions, move), url: url.href };
}

/** The same actions with what they open or expect written in another way. */
export function withAddresses(
  actions: readonly BrowserAction[],
  write: (url: string) => string,
): BrowserAction[] {
  return actions.map((action) => {
    if (action.type === 'goto') return { ...action, url: write(action.url) };
    if (action.type !== 'expect_url' || action.match.type !== 'text') return action;
    return { ...action, match: { ...action.match, text: write(action.match.text) } };
  });
}
