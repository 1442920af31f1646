import type { Node, Statement } from '@babel/types';
import type { SelectedOption } from '../../../shared/scenario/browser-actions.ts';
import type { Locator, TextMatch } from '../../../shared/scenario/locator.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { pageVisit } from './draft-request.ts';
import { locatorOf } from './playwright-expectations.ts';
import {
  type Act,
  addRequest,
  button,
  type Call,
  firstText,
  force,
  isFunction,
  leaveOut,
  number,
  oneOf,
  optionsOf,
  partsOf,
  place,
  pointer,
  readFlag,
  resolveUrl,
  selectorMethods,
  type TestDraft,
} from './playwright-options.ts';
import {
  argumentsOf,
  type Meaning,
  Misunderstood,
  nothing,
  propertyName,
  readJson,
  readNumber,
  readOptions,
  readText,
  readValue,
  type Scope,
  textOf,
} from './playwright-values.ts';

/** Methods of a locator that do something to what it finds. */
export const elementActions: Readonly<Record<string, (call: Call) => Act>> = {
  click,
  dblclick: (call) => ({ ...click(call), clicks: 2 }),
  tap: (call) => {
    leaveOut(call.reading, 'tap as a touch: it is done as a click');
    return click(call);
  },
  fill: (call) => ({ type: 'fill', value: firstText(call), ...optionsOf(call, 1, { force }) }),
  clear: (call) => ({ type: 'fill', value: '', ...optionsOf(call, 0, { force }) }),
  type: (call) => ({ type: 'type_text', value: firstText(call), ...optionsOf(call, 1) }),
  pressSequentially: (call) => ({ type: 'type_text', value: firstText(call), ...optionsOf(call, 1) }),
  press: (call) => ({ type: 'press', key: firstText(call), ...optionsOf(call, 1) }),
  check: (call) => ({ type: 'check', ...optionsOf(call, 0, pointer) }),
  uncheck: (call) => ({ type: 'uncheck', ...optionsOf(call, 0, pointer) }),
  hover: (call) => ({ type: 'hover', ...optionsOf(call, 0, pointer) }),
  setChecked: (call) => ({
    type: readFlag(call.args[0], call.scope) ? 'check' : 'uncheck',
    ...optionsOf(call, 1, pointer),
  }),
  focus: (call) => ({ type: 'focus', ...optionsOf(call, 0) }),
  blur: (call) => ({ type: 'blur', ...optionsOf(call, 0) }),
  scrollIntoViewIfNeeded: (call) => ({ type: 'scroll_into_view', ...optionsOf(call, 0) }),
  selectText: (call) => ({ type: 'select_text', ...optionsOf(call, 0) }),
  selectOption: (call) => ({
    type: 'select_option',
    options: selectedIn(call.args[0], call.scope),
    ...optionsOf(call, 1, { force }),
  }),
  dispatchEvent: (call) => {
    if (call.args.length > 1) throw new Misunderstood('dispatchEvent with properties is not supported.');
    return { type: 'dispatch_event', event: firstText(call) };
  },
  dragTo: (call) => drag(call, locatorOf(call.args[0], call), 1),
  waitFor: (call) => awaitedState(call, 0),
};

const delay = (node: Node, { scope }: Call) => Math.round(readNumber(node, scope));

function click(call: Call): Act<'click'> {
  const options = optionsOf(call, 0, { ...pointer, delay, clickCount: number, button });
  const { delay: holdMs, clickCount: clicks = 1, button: pressed = 'left', ...how } = options;
  return {
    ...{ type: 'click', button: pressed, clicks, ...how, opens: null },
    ...(holdMs === undefined ? {} : { holdMs }),
  };
}

/** @param index of the options among the arguments */
function drag(call: Call, target: Locator, index: number): Act<'drag'> {
  const options = optionsOf(call, index, { sourcePosition: place, targetPosition: place, force });
  const { sourcePosition: from, targetPosition: to, ...how } = options;
  return { type: 'drag', target, from, to, ...how };
}

/** A value or label, several of them, or `{ label }`, `{ value }` and `{ index }`. */
function selectedIn(node: Node | undefined, scope: Scope): SelectedOption[] {
  if (node?.type === 'NullLiteral') return [];
  if (node?.type === 'ArrayExpression') {
    return node.elements.flatMap((element) => (element === null ? [] : selectedIn(element, scope)));
  }
  if (node?.type !== 'ObjectExpression') return [readText(node, scope)];
  const named: Exclude<SelectedOption, string> = {};
  for (const [name, value] of readOptions(node)) {
    if (name === 'value' || name === 'label') named[name] = readText(value, scope);
    else if (name === 'index') named.index = readNumber(value, scope);
    else throw new Misunderstood(`selectOption with ${name} is not supported.`);
  }
  return [named];
}

const states = {
  visible: { type: 'expect_visible' },
  hidden: { type: 'expect_hidden' },
  attached: { type: 'expect_state', state: 'attached' },
  detached: { type: 'expect_state', state: 'attached', negated: true },
} as const;

/** State that `waitFor` and `waitForSelector` wait for. */
function awaitedState(call: Call, index: number) {
  const state = oneOf('attached', 'detached', 'visible', 'hidden');
  return states[optionsOf(call, index, { state }).state ?? 'visible'];
}

/** An address that is waited for: a pattern, or a text that may be a glob, under the baseURL. */
function readUrlMatch(node: Node | undefined, { scope, reading: { draft } }: Call): TextMatch {
  if (node === undefined) throw new Misunderstood('An address is missing.');
  const value = readValue(node, scope);
  if (value.is === 'pattern') return value.match;
  const glob = textOf(value);
  if (!/[*{\\]/.test(glob)) return { type: 'text', text: resolveUrl(glob, draft), exact: true };
  return { type: 'pattern', pattern: patternOf(withBase(glob, draft)), flags: '' };
}

/** A parser of addresses would encode what stands for others. */
function withBase(glob: string, { baseUrl }: TestDraft): string {
  const isRelative = !/^(?:\*|[a-z][\w+.-]*:|\{)/i.test(glob);
  if (!isRelative || baseUrl === null) return glob;
  const base = resolveReference(glob.startsWith('/') ? '/' : '.', baseUrl)?.href ?? '';
  return base + glob.replace(/^\//, '');
}

const special = /[$^+.()|[\]?\\]/;

/** Reads a glob like Playwright: `**` stands for anything, `*` for all but a slash, and `{a,b}` for one of them. */
function patternOf(glob: string): string {
  let inGroup = false;
  const tokens = glob.matchAll(/\\(.)|(\/?)\*\*+\/|\*\*+|\*|[\s\S]/g);
  const pieces = [...tokens].map(([token, escaped, slash]) => {
    if (escaped !== undefined)
      return special.test(escaped) || /[*{},]/.test(escaped) ? `\\${escaped}` : escaped;
    if (slash !== undefined) return slash === '' ? '(?:.*/)' : '/(?:.+/)?';
    if (token.startsWith('**')) return '.*';
    if (token === '*') return '[^/]*';
    if (token === '{' || token === '}') {
      inGroup = token === '{';
      return inGroup ? '(?:' : ')';
    }
    if (token === ',' && inGroup) return '|';
    return special.test(token) ? `\\${token}` : token;
  });
  if (inGroup) throw new Misunderstood('The address has a { without its }.');
  return `^${pieces.join('')}$`;
}

const nothingElse = 'A handler of a dialog may accept or dismiss it, and nothing else.';

/** Answer of a handler of dialogs, as codegen writes it: `dialog => { …; dialog.dismiss().catch(() => {}); }`. */
function readDialogAnswer(handler: Node | undefined, scope: Scope): { accept: boolean; text: string | null } {
  if (!isFunction(handler) || handler.params[0]?.type !== 'Identifier')
    throw new Misunderstood('The handler of a dialog must be written out in place.');
  const { name } = handler.params[0];
  const calls = partsOf(handler).body.map(callIn);
  const [answer, second] = calls.filter(({ owner }) => owner !== 'console');
  if (answer?.owner !== name || second !== undefined) throw new Misunderstood(nothingElse);
  if (answer.method === 'dismiss') return { accept: false, text: null };
  if (answer.method !== 'accept') throw new Misunderstood(`dialog.${answer.method} is not supported.`);
  const [text] = answer.args;
  return { accept: true, text: text === undefined ? null : readText(text, scope) };
}

/** Without `await` before it and `.catch(…)` behind it. */
function callIn(statement: Statement) {
  const expression = statement.type === 'ExpressionStatement' ? statement.expression : null;
  const call = callOf(expression?.type === 'AwaitExpression' ? expression.argument : expression);
  const inner = call?.method === 'catch' ? callOf(call.object) : call;
  if (inner?.object.type !== 'Identifier') throw new Misunderstood(nothingElse);
  return { ...inner, owner: inner.object.name };
}

function callOf(node: Node | null) {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
  const { object, property, computed } = node.callee;
  return computed ? null : { object, method: propertyName(property), args: argumentsOf(node) };
}

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

/** Sets headers for all requests from now on, those of the test itself included. */
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
