import type { CallExpression, Expression, MemberExpression, Node } from '@babel/types';
import { headerOf, type RecordedHeaders } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import { type Method, methodSchema } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { connectionNote, connectionProblem } from './draft-request.ts';
import { awaitEvent, elementActions, extraHeaders, pageActions } from './playwright-actions.ts';
import { narrow, readExpectation, subjectOf } from './playwright-expectations.ts';
import {
  type Act,
  addAction,
  addRequest,
  button,
  type Call,
  firstText,
  leaveOut,
  number,
  optionsOf,
  problemOf,
  quietMembers,
  type Reading,
  reasonAgainst,
  resolveUrl,
  testCallName,
} from './playwright-options.ts';
import { applySettings, readAll } from './playwright-settings.ts';
import {
  argumentsOf,
  environmentVariableOf,
  type Meaning,
  Misunderstood,
  nothing,
  propertyName,
  readJson,
  readNumber,
  readValue,
  type Scope,
} from './playwright-values.ts';

/** Source: `fetch` in playwright-core, which adds these headers and chooses the type of a body. */
const accepted = ['accept', '*/*'] satisfies [string, string];

/** `request.post(url, { data })`: a request without a browser, so a step as it stands. */
function readApiRequest(call: Call): Meaning {
  const { method, args, scope, reading } = call;
  if (method === 'newContext') {
    applySettings(args[0], call);
    return { is: 'request' };
  }
  if (method === 'dispose' || method === 'storageState') {
    leaveOut(reading, `request.${method}`);
    return nothing;
  }
  const json = (node: Expression) => readJson(node, scope);
  const known = { params: json, headers: json, form: json, data: json, method: json };
  const { params, form, data, ...other } = optionsOf(call, 1, known);
  const url = resolveReference(resolveUrl(firstText(call), reading.draft), 'http://target.invalid');
  if (url === null) throw new Misunderstood('The request has an invalid address.');
  addParams(url, params);
  const headers = merge(merge([accepted], reading.draft.headers), namedFieldsOf(other.headers));
  const body = bodyOf(form, data, headers);
  for (const header of headers) {
    const isDropped = /^(?:host|transfer-encoding|expect)$/i.test(header[0]);
    const problem =
      connectionProblem(header, body?.text ?? null) ?? (isDropped ? connectionNote(header, url.host) : null);
    if (problem !== null) throw new Misunderstood(problem);
  }
  if (reading.draft.requests.length > 0 && headerOf(headers, 'cookie') !== undefined)
    throw new Misunderstood(
      'A Cookie header that replaces the cookies of earlier requests is not supported.',
    );
  addRequest(reading, {
    method: methodOf(method, other.method),
    url: url.hostname === 'target.invalid' ? '/' : url.href,
    ...(url.hostname === 'target.invalid' ? { path: url.pathname + url.search } : {}),
    headers: body === null || hasType(headers) ? headers : [...headers, ['content-type', body.type]],
    body: body?.text ?? null,
  });
  return { is: 'response', request: reading.draft.requests.length - 1 };
}

function addParams(url: URL, params: unknown): void {
  if (typeof params !== 'string') {
    for (const [name, value] of fieldsOf(params)) url.searchParams.append(name, value);
    return;
  }
  const added = params.replace(/^\?/, '');
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`;
}

/** The later ones take the place of the earlier ones of their name. */
function merge(earlier: RecordedHeaders, later: RecordedHeaders): RecordedHeaders {
  const names = new Set(later.map(([name]) => name));
  return [...earlier.filter(([name]) => !names.has(name)), ...later];
}

function methodOf(called: string, said: unknown): Method {
  const method = methodSchema.safeParse(
    called === 'fetch' ? String(said ?? 'GET').toUpperCase() : called.toUpperCase(),
  );
  if (!method.success || (called !== 'fetch' && called !== called.toLowerCase()))
    throw new Misunderstood(`request.${called} is not supported.`);
  return method.data;
}

function bodyOf(
  form: unknown,
  data: unknown,
  headers: RecordedHeaders,
): { text: string; type: string } | null {
  if (form !== undefined) {
    const text = new URLSearchParams(fieldsOf(form)).toString();
    return { text, type: 'application/x-www-form-urlencoded' };
  }
  if (data === undefined) return null;
  if (typeof data !== 'string') return { text: JSON.stringify(data), type: 'application/json' };
  const isJson = /^application\/json\s*(?:;|$)/i.test(headerOf(headers, 'content-type') ?? '');
  const text = isJson && !isJsonText(data) ? JSON.stringify(data) : data;
  return { text, type: 'application/octet-stream' };
}

function hasType(headers: RecordedHeaders): boolean {
  return headerOf(headers, 'content-type') !== undefined;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function namedFieldsOf(value: unknown): RecordedHeaders {
  return fieldsOf(value).map(([name, text]) => [name.toLowerCase(), text]);
}

function fieldsOf(value: unknown): [string, string][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, inner]) => [name, String(inner)])
    : [];
}

type ActionsActs = Readonly<Record<string, (call: Call) => Act>>;

/** Keys that go to what has the focus. */
export const keyboardActions: ActionsActs = {
  press: (call) => ({ type: 'press', locator: null, key: firstText(call), ...optionsOf(call, 1) }),
  down: (call) => ({ type: 'key_down', key: firstText(call) }),
  up: (call) => ({ type: 'key_up', key: firstText(call) }),
  type: (call) => ({ type: 'type_keys', value: firstText(call), ...optionsOf(call, 1) }),
  insertText: (call) => ({ type: 'insert_text', value: firstText(call) }),
};

/** At coordinates of the page. */
export const mouseActions: ActionsActs = {
  move: (call) => ({ type: 'mouse_move', ...placeOf(call), ...optionsOf(call, 2) }),
  down: (call) => ({ type: 'mouse_down', ...pressed(call, 0) }),
  up: (call) => ({ type: 'mouse_up', ...pressed(call, 0) }),
  click: (call) => ({ type: 'mouse_click', ...placeOf(call), ...pressed(call, 2) }),
  dblclick: (call) => ({ type: 'mouse_click', ...placeOf(call), ...pressed(call, 2), clicks: 2 }),
  wheel: (call) => {
    const { x: deltaX, y: deltaY } = placeOf(call);
    return { type: 'wheel', deltaX, deltaY };
  },
};

function placeOf({ args, scope }: Call): { x: number; y: number } {
  return { x: readNumber(args[0], scope), y: readNumber(args[1], scope) };
}

/** @param index of the options among the arguments */
function pressed(call: Call, index: number) {
  const options = optionsOf(call, index, { button, clickCount: number });
  return { button: options.button ?? 'left', clicks: options.clickCount ?? 1 };
}

/**
 * Meaning of an expression; an action that it calls is noted on the way. Objects are known by the names that the test gave them, methods by
 * an allow-list: everything else is Misunderstood.
 */
export function readExpression(node: Node, scope: Scope, reading: Reading): Meaning {
  switch (node.type) {
    case 'AwaitExpression': {
      const awaited = readExpression(node.argument, scope, reading);
      return awaited.is === 'wait' ? readExpression(awaited.call, scope, reading) : awaited;
    }
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return readExpression(node.expression, scope, reading);
    case 'CallExpression':
      return readCall(node, scope, reading);
    case 'MemberExpression':
      return readMember(node, scope, reading);
    case 'Identifier': {
      const known = scope.get(node.name);
      if (known === undefined) throw new Misunderstood(`${node.name} is unknown.`);
      return known;
    }
    default:
      return readValue(node, scope);
  }
}

function readMember(node: MemberExpression, scope: Scope, reading: Reading): Meaning {
  if (environmentVariableOf(node) !== null) return readValue(node, scope);
  if (node.computed) throw new Misunderstood('Computed member names are not supported.');
  const owner = readExpression(node.object, scope, reading);
  const name = propertyName(node.property);
  if (owner.is === 'quiet') return { is: 'quiet', name: `${owner.name}.${name}` };
  if (owner.is === 'page' && (name === 'keyboard' || name === 'mouse')) return { is: name, page: owner.page };
  if (owner.is === 'page' || owner.is === 'context') {
    if (name === 'request') return { is: 'request' };
    if (quietMembers.has(name)) return { is: 'quiet', name: `${owner.is}.${name}` };
    throw new Misunderstood(`${owner.is}.${name} ${reasonAgainst(name)}`);
  }
  throw new Misunderstood(`The property ${name} is not supported.`);
}

function readCall(node: CallExpression, scope: Scope, reading: Reading): Meaning {
  const { callee } = node;
  const ofTests = testCallName(node);
  if (ofTests !== null) throw new Misunderstood(problemOf(ofTests));
  if (callee.type !== 'MemberExpression' || callee.computed) {
    throw new Misunderstood('Function calls are not supported, because code is never executed.');
  }
  const read = (inner: Node) => readExpression(inner, scope, reading);
  const call = { method: propertyName(callee.property), args: argumentsOf(node), scope, reading, read };
  const expected = subjectOf(node);
  if (expected !== null) {
    readExpectation(read(expected.subject), { ...call, negated: expected.negated });
    return nothing;
  }
  if (callee.object.type === 'Identifier' && callee.object.name === 'Promise' && call.method === 'all')
    return readAll(call);
  return callOn(read(callee.object), call);
}

function callOn(owner: Meaning, call: Call): Meaning {
  const { method, reading } = call;
  switch (owner.is) {
    case 'page': {
      const { is, ...place } = owner;
      const locator = narrow([], call);
      if (locator !== null) return { is: 'locator', ...place, locator };
      if (method === 'context') return { is: 'context' };
      if (method === 'waitForEvent') return awaitEvent(call);
      return done(call, is, pageActions, place);
    }
    case 'locator': {
      const { is, ...place } = owner;
      const locator = narrow(place.locator, call);
      return locator === null ? done(call, is, elementActions, place) : { ...owner, locator };
    }
    case 'keyboard':
      return done(call, owner.is, keyboardActions, { page: owner.page });
    case 'mouse':
      return done(call, owner.is, mouseActions, { page: owner.page });
    case 'request':
      return readApiRequest(call);
    case 'response':
      if (method === 'status' || method === 'ok') return { is: 'status', request: owner.request };
      throw new Misunderstood(`The result of response.${method} is known only during the replay.`);
    case 'context':
      return onContext(call);
    case 'browser':
      return onBrowser(call);
    case 'quiet':
      leaveOut(reading, `${owner.name}.${method}`);
      return nothing;
    case 'popup':
    case 'nothing':
      throw new Misunderstood(`What ${method} is called on is known only in the browser.`);
    default:
      throw new Misunderstood(`${method} is not supported here.`);
  }
}

type Acts = Readonly<Record<string, (call: Call) => Act | null>>;
type Place = { page: number; locator?: Locator };

function done(call: Call, owner: string, acts: Acts, place: Place): Meaning {
  const act = Object.hasOwn(acts, call.method) ? acts[call.method] : undefined;
  if (act === undefined) return otherwise(owner, call);
  const action = act(call);
  if (action !== null) addAction(call.reading, { ...action, ...place });
  return nothing;
}

/** A member that does nothing to the page: it is listed, or refused by its name. */
function otherwise(owner: string, { method, reading }: Call): Meaning {
  if (quietMembers.has(method)) {
    leaveOut(reading, `${owner}.${method}`);
    return nothing;
  }
  throw new Misunderstood(`${owner}.${method.slice(0, longestName)} ${reasonAgainst(method)}`);
}

/** In a reason. */
const longestName = 100;

function onContext(call: Call): Meaning {
  switch (call.method) {
    case 'newPage':
      return openPage(call.reading);
    case 'close':
      return nothing;
    case 'setExtraHTTPHeaders':
      addAction(call.reading, { ...extraHeaders(call), page: 0 });
      return nothing;
    case 'waitForEvent':
      return awaitEvent(call);
    default:
      return otherwise('context', call);
  }
}

function onBrowser(call: Call): Meaning {
  const { draft } = call.reading;
  switch (call.method) {
    case 'launch':
      return { is: 'browser' };
    case 'newContext':
      if (draft.contexts++ > 0)
        throw new Misunderstood('A second context is not supported: a replay has one visitor.');
      applySettings(call.args[0], call);
      return { is: 'context' };
    case 'newPage':
      applySettings(call.args[0], call);
      return openPage(call.reading);
    case 'close':
      return nothing;
    default:
      return otherwise('browser', call);
  }
}

function openPage({ draft }: Reading): Meaning {
  // The first page of a script is the one that every test has from the start.
  const isFirst =
    draft.pages === 1 && !draft.actions.some(({ page, type }) => page === 0 && !isSetting.has(type));
  return { is: 'page', page: isFirst ? 0 : draft.pages++ };
}

/** They may come before the first page is opened. */
const isSetting: ReadonlySet<string> = new Set([
  'viewport',
  'extra_headers',
  'emulate_media',
  'answer_dialog',
]);
