import type { Node } from '@babel/types';
import type { Locator } from '../../../shared/locator.ts';
import type { Call } from './call.ts';
import { act, awaitedState, drag } from './locator-actions.ts';
import { type Meaning, Misunderstood, nothing } from './meaning.ts';
import { readDialogAnswer } from './read-dialog.ts';
import type { ReadMeaning } from './read-locator.ts';
import { flagOf, optionsOf, readNumber } from './read-options.ts';
import { readUrlMatch } from './read-url-match.ts';
import { readOptions, readText } from './read-value.ts';
import { addHeaders, addMedia } from './settings.ts';
import { addAction, addRequest, leaveOut, type Reading, resolveUrl } from './test-draft.ts';

/** Methods of a page that do something to it; null when the method is none of them. */
export function actOnPage(page: number, call: Call, read: ReadMeaning): Meaning | null {
  const { method, args, scope, reading } = call;
  switch (method) {
    case 'context':
      return { is: 'context' };
    case 'mainFrame':
      return { is: 'page', page };
    case 'goto':
      visit(page, call);
      return nothing;
    case 'goBack':
    case 'goForward':
    case 'reload':
      optionsOf(call, args[0]);
      addAction(reading, { type: visits[method], page });
      return nothing;
    case 'close':
      if (reading.draft.pages > 1) addAction(reading, { type: 'close_page', page });
      return nothing;
    case 'waitForTimeout': {
      const durationMs = Math.min(600_000, Math.max(0, Math.round(readNumber(args[0], scope))));
      addAction(reading, { type: 'pause', page, durationMs });
      return nothing;
    }
    case 'waitForURL':
      optionsOf(call, args[1]);
      addAction(reading, { type: 'expect_url', page, match: readUrlMatch(args[0], scope, reading.draft) });
      return nothing;
    case 'waitForNavigation':
      awaitNavigation(page, call);
      return nothing;
    case 'waitForSelector':
      addAction(reading, { page, locator: selectorOf(call, args[1]), ...awaitedState(call, args[1]) });
      return nothing;
    case 'on':
    case 'once':
    case 'waitForEvent':
      return onEvent(page, call);
    case 'setExtraHTTPHeaders':
      addHeaders(page, args[0], scope, reading);
      return nothing;
    case 'emulateMedia':
      addMedia(page, readOptions(args[0]), scope, reading);
      return nothing;
    case 'setViewportSize': {
      const size = readOptions(args[0]);
      const [width, height] = ['width', 'height'].map((name) => readNumber(size.get(name), scope));
      addAction(reading, { type: 'viewport', page, width: width ?? 0, height: height ?? 0 });
      return nothing;
    }
    case 'dragAndDrop': {
      const target: Locator = [...first(readText(args[1], scope), false)];
      drag({ page, locator: selectorOf(call, args[2]) }, target, call, args[2]);
      return nothing;
    }
    default:
      return actOldWay(page, call, read);
  }
}

const visits = { goBack: 'go_back', goForward: 'go_forward', reload: 'reload' } as const;

/** How many arguments stand before the options of a method that takes a selector. */
const oldWay: Record<string, number> = {
  ...{ check: 1, click: 1, dblclick: 1, focus: 1, hover: 1, tap: 1, uncheck: 1 },
  ...{ dispatchEvent: 2, fill: 2, press: 2, selectOption: 2, setChecked: 2, type: 2 },
};

/** `page.click('#id')`. */
function actOldWay(page: number, call: Call, read: ReadMeaning): Meaning | null {
  const { method, args } = call;
  const before = Object.hasOwn(oldWay, method) ? oldWay[method] : undefined;
  if (before === undefined) return null;
  const locator = selectorOf(call, args[before]);
  return act(page, locator, { ...call, args: withoutStrict(args.slice(1)) }, read);
}

/** The selector of the first argument: without `strict` the first of what it finds is taken. */
function selectorOf({ args, scope }: Call, options: Node | undefined): Locator {
  return first(readText(args[0], scope), flagOf(readOptions(options).get('strict'), scope));
}

function first(selector: string, isStrict: boolean): Locator {
  const part = { by: 'selector', selector } as const;
  return isStrict ? [part] : [part, { by: 'nth', index: 0 }];
}

function withoutStrict(args: Call['args']): Call['args'] {
  return args.map((argument) => {
    if (argument.type !== 'ObjectExpression') return argument;
    const isStrict = (property: Node) =>
      property.type === 'ObjectProperty' &&
      property.key.type === 'Identifier' &&
      property.key.name === 'strict';
    return { ...argument, properties: argument.properties.filter((property) => !isStrict(property)) };
  });
}

function awaitNavigation(page: number, call: Call): void {
  const { args, scope, reading } = call;
  const url = optionsOf(call, args[0], ['url']).get('url');
  if (url === undefined) leaveOut(reading, 'page.waitForNavigation');
  else addAction(reading, { type: 'expect_url', page, match: readUrlMatch(url, scope, reading.draft) });
}

/** `waitForEvent('popup')`, and the dialogs that codegen writes. */
export function onEvent(page: number, { method, args, scope, reading }: Call): Meaning {
  const event = readText(args[0], scope);
  if (method === 'waitForEvent') {
    if (event === 'popup' || event === 'page') return { is: 'popup', page: reading.draft.pages++ };
    if (event === 'filechooser') throw new Misunderstood('waitForEvent of filechooser uses a file.');
    leaveOut(reading, `waitForEvent of ${event}`);
    return nothing;
  }
  if (event !== 'dialog')
    throw new Misunderstood(`page.${method} of ${event} runs code of the test, which is not supported.`);
  const answer = readDialogAnswer(args[1], scope);
  addAction(reading, { type: 'answer_dialog', page, ...answer, every: method === 'on' });
  return nothing;
}

/** Opening a page is a request that is known without a browser as well. */
function visit(page: number, call: Call): void {
  const { args, scope, reading } = call;
  const said = optionsOf(call, args[1], ['referer']).get('referer');
  const referer = said === undefined ? null : readText(said, scope);
  const url = resolveUrl(readText(args[0], scope), reading.draft);
  addAction(reading, { type: 'goto', page, url, ...(referer === null ? {} : { referer }) });
  addVisit(reading, url, referer);
}

function addVisit(reading: Reading, url: string, referer: string | null): void {
  addRequest(reading, {
    method: 'GET',
    url,
    headers: [
      ['accept', 'text/html'],
      ...(referer === null ? [] : [['referer', referer] satisfies [string, string]]),
      ...reading.draft.headers,
    ],
    body: null,
    expectStatus: 200,
    isPage: true,
  });
}
