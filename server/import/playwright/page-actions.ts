import type { Node } from '@babel/types';
import type { Locator } from '../../../shared/browser-actions.ts';
import { act } from './locator-actions.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { readNumber } from './read-locator.ts';
import { readMatch, readOptions, readText } from './read-value.ts';
import { addAction, type Reading, resolveUrl } from './test-draft.ts';

/** Methods of a page that do something to it. Everything that is not listed is refused by name. */
export function actOnPage(
  page: number,
  method: string,
  args: Node[],
  scope: Scope,
  reading: Reading,
): Meaning {
  switch (method) {
    case 'goto':
      addAction(reading, { type: 'goto', page, url: resolveUrl(readText(args[0], scope), reading.draft) });
      addVisit(reading);
      return nothing;
    case 'goBack':
      addAction(reading, { type: 'go_back', page });
      return nothing;
    case 'goForward':
      addAction(reading, { type: 'go_forward', page });
      return nothing;
    case 'reload':
      addAction(reading, { type: 'reload', page });
      return nothing;
    case 'close':
      if (reading.draft.pages > 1) addAction(reading, { type: 'close_page', page });
      return nothing;
    case 'waitForTimeout':
      addAction(reading, { type: 'pause', page, durationMs: pauseOf(args[0], scope) });
      return nothing;
    case 'waitForURL':
      addAction(reading, { type: 'expect_url', page, match: readMatch(args[0], scope) });
      return nothing;
    case 'waitForSelector':
      addAction(reading, { type: 'expect_visible', page, locator: selectorOf(args[0], scope) });
      return nothing;
    case 'waitForEvent':
      if (readText(args[0], scope) !== 'popup') throw new Misunderstood('waitForEvent supports only popup.');
      return { is: 'popup', page: reading.draft.pages++ };
    case 'setViewportSize': {
      const size = readOptions(args[0]);
      const [width, height] = [size.get('width'), size.get('height')];
      if (!width || !height) throw new Misunderstood('The size must be written as numbers.');
      addAction(reading, {
        type: 'viewport',
        page,
        width: readNumber(width, scope),
        height: readNumber(height, scope),
      });
      return nothing;
    }
    default:
  }
  if (quiet.has(method)) return nothing;
  const reason = refusals.get(method);
  if (reason !== undefined) throw new Misunderstood(`page.${method} ${reason}.`);
  // The old way: page.click('#id').
  if (oldWay.has(method)) return act(page, selectorOf(args[0], scope), method, args.slice(1), scope, reading);
  throw new Misunderstood(`page.${method} is not supported.`);
}

export function actOnKeyboard(
  page: number,
  method: string,
  args: Node[],
  scope: Scope,
  reading: Reading,
): Meaning {
  if (method !== 'press')
    throw new Misunderstood(`keyboard.${method} is not supported; use locator.fill or press.`);
  addAction(reading, { type: 'press', page, locator: null, key: readText(args[0], scope) });
  return nothing;
}

const nothing: Meaning = { is: 'nothing' };

/** They change nothing that the server sees. */
const quiet = new Set([
  'waitForLoadState',
  'bringToFront',
  'screenshot',
  'setDefaultTimeout',
  'setDefaultNavigationTimeout',
  'pause',
  'url',
  'title',
]);

const oldWay = new Set([
  'click',
  'dblclick',
  'fill',
  'type',
  'press',
  'check',
  'uncheck',
  'hover',
  'focus',
  'tap',
  'selectOption',
  'setChecked',
]);

const refusals = new Map([
  ['evaluate', 'runs code in the page, which is not supported'],
  ['evaluateHandle', 'runs code in the page, which is not supported'],
  ['$eval', 'runs code in the page, which is not supported'],
  ['$$eval', 'runs code in the page, which is not supported'],
  ['addInitScript', 'runs code in the page, which is not supported'],
  ['addScriptTag', 'runs code in the page, which is not supported'],
  ['exposeFunction', 'runs code of the test, which is not supported'],
  ['waitForFunction', 'runs code in the page, which is not supported'],
  ['route', 'replaces the server’s response, so nothing would be measured'],
  ['routeFromHAR', 'replaces the server’s response, so nothing would be measured'],
  ['once', 'handles an event; dialogs are dismissed automatically'],
  ['on', 'handles an event; dialogs are dismissed automatically'],
  ['setInputFiles', 'uploads a file, which is not supported'],
  ['setContent', 'shows a page without a server'],
  ['dragAndDrop', 'drags, which is not supported'],
  ['waitForResponse', 'waits for one response; the replay waits automatically'],
  ['waitForRequest', 'waits for one request; the replay waits automatically'],
]);

function selectorOf(node: Node | undefined, scope: Scope): Locator {
  return [{ by: 'selector', selector: readText(node, scope) }];
}

function pauseOf(node: Node | undefined, scope: Scope): number {
  return node === undefined ? 0 : Math.min(600_000, Math.max(0, Math.round(readNumber(node, scope))));
}

/** Opening a page is a request that is known without a browser. */
function addVisit({ line, draft }: Reading): void {
  const action = draft.actions.at(-1);
  if (action?.type !== 'goto') return;
  draft.requests.push({
    line,
    method: 'GET',
    url: action.url,
    headers: [['accept', 'text/html']],
    body: null,
    expectStatus: 200,
    isPage: true,
  });
}
