import type { Node } from '@babel/types';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import { pageVisit } from '../draft-request.ts';
import { awaitedState, drag, elementActions } from './element-actions.ts';
import { selectorMethods } from './known-members.ts';
import { type Meaning, Misunderstood, nothing, type Scope } from './meaning.ts';
import { readDialogAnswer } from './read-dialog.ts';
import { firstText, oneOf, optionsOf, readFlag } from './read-options.ts';
import { readUrlMatch } from './read-url-match.ts';
import { readJson, readNumber, readOptions, readText } from './read-value.ts';
import { type Act, addRequest, type Call, leaveOut, resolveUrl } from './test-draft.ts';

/** Methods of a page that do something to it; null where there is nothing to do. */
export const pageActions: Readonly<Record<string, (call: Call) => Act | null>> = {
  ...Object.fromEntries(
    Object.entries(elementActions)
      .filter(([method]) => selectorMethods.has(method))
      .map(([method, act]) => [
        method,
        (call: Call) => ({
          ...act({ ...call, args: call.args.slice(1) }),
          locator: selectorOf(call, call.args.at(-1)),
        }),
      ]),
  ),
  goto: visit,
  goBack: (call) => ({ type: 'go_back', ...optionsOf(call, 0) }),
  goForward: (call) => ({ type: 'go_forward', ...optionsOf(call, 0) }),
  reload: (call) => ({ type: 'reload', ...optionsOf(call, 0) }),
  close: ({ reading }) => (reading.draft.pages > 1 ? { type: 'close_page' } : null),
  waitForTimeout: ({ args, scope }) => ({
    type: 'pause',
    durationMs: Math.min(600_000, Math.max(0, Math.round(readNumber(args[0], scope)))),
  }),
  waitForURL: (call) => ({
    ...{ type: 'expect_url', match: readUrlMatch(call.args[0], call) },
    ...optionsOf(call, 1),
  }),
  waitForNavigation: (call) => {
    const { url: match } = optionsOf(call, 0, { url: readUrlMatch });
    if (match !== undefined) return { type: 'expect_url', match };
    leaveOut(call.reading, 'page.waitForNavigation');
    return null;
  },
  waitForSelector: (call) => ({ locator: selectorOf(call, call.args[1]), ...awaitedState(call, 1) }),
  on: (call) => answer(call, true),
  once: (call) => answer(call, false),
  setExtraHTTPHeaders: extraHeaders,
  emulateMedia: (call) => ({ type: 'emulate_media', ...optionsOf(call, 0, media) }),
  setViewportSize: ({ args, scope }) => viewport(args[0], scope),
  dragAndDrop: (call) => ({
    locator: selectorOf(call, call.args[2]),
    ...drag(call, first(readText(call.args[1], call.scope), false), 2),
  }),
};

export const media = {
  media: oneOf('screen', 'print'),
  colorScheme: oneOf('light', 'dark', 'no-preference'),
  reducedMotion: oneOf('reduce', 'no-preference'),
  forcedColors: oneOf('active', 'none'),
  contrast: oneOf('more', 'no-preference'),
};

/** The selector of the first argument: without `strict` the first of what it finds is taken. */
function selectorOf({ args, scope }: Call, options: Node | undefined): Locator {
  const strict = options?.type === 'ObjectExpression' ? readOptions(options).get('strict') : undefined;
  return first(readText(args[0], scope), strict !== undefined && readFlag(strict, scope));
}

function first(selector: string, isStrict: boolean): Locator {
  const part = { by: 'selector', selector } as const;
  return isStrict ? [part] : [part, { by: 'nth', index: 0 }];
}

/** The dialogs that codegen writes. */
function answer(call: Call, every: boolean): Act {
  const { method, args, scope } = call;
  const event = firstText(call);
  if (event !== 'dialog')
    throw new Misunderstood(`page.${method} of ${event} runs code of the test, which is not supported.`);
  return { type: 'answer_dialog', ...readDialogAnswer(args[1], scope), every };
}

/** `waitForEvent('popup')`. */
export function awaitEvent(call: Call): Meaning {
  const { reading } = call;
  const event = firstText(call);
  if (event === 'popup' || event === 'page') return { is: 'popup', page: reading.draft.pages++ };
  if (event === 'filechooser') throw new Misunderstood('waitForEvent of filechooser uses a file.');
  leaveOut(reading, `waitForEvent of ${event}`);
  return nothing;
}

export function viewport(node: Node | undefined, scope: Scope): Act<'viewport'> {
  const size = readOptions(node);
  const [width = 0, height = 0] = ['width', 'height'].map((name) => readNumber(size.get(name), scope));
  return { type: 'viewport', width, height };
}

/** Of all requests from now on, those of the test itself included. */
export function extraHeaders({ args, scope }: Call): Act<'extra_headers'> {
  const given = args[0] === undefined ? null : readJson(args[0], scope);
  if (typeof given !== 'object' || given === null) throw new Misunderstood('The headers must be an object.');
  const headers = Object.entries(given).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    String(value),
  ]);
  return { type: 'extra_headers', headers };
}

/** Opening a page is a request that is known without a browser as well. */
function visit(call: Call): Act {
  const { scope, reading } = call;
  const { referer } = optionsOf(call, 1, { referer: (node) => readText(node, scope) });
  const url = resolveUrl(firstText(call), reading.draft);
  const referers: [string, string][] = referer === undefined ? [] : [['referer', referer]];
  addRequest(reading, pageVisit(url, [...referers, ...reading.draft.headers]));
  return { type: 'goto', url, ...(referer === undefined ? {} : { referer }) };
}
