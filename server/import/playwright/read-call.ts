import type { CallExpression, Node } from '@babel/types';
import { nearestNames } from '../../text/known-name.ts';
import { type KnownApi, standingOf } from './api/known-api.ts';
import { locatorApi } from './api/locator-api.ts';
import { browserApi, contextApi, keyboardApi, mouseApi, pageApi } from './api/page-api.ts';
import { readApiRequest } from './api-requests.ts';
import type { Call } from './call.ts';
import { readExpectation } from './expectations.ts';
import { actOnKeyboard, actOnMouse } from './input-actions.ts';
import { act } from './locator-actions.ts';
import { type Meaning, Misunderstood, nothing, type Scope } from './meaning.ts';
import { actOnPage, onEvent } from './page-actions.ts';
import { readAll } from './read-all.ts';
import { asExpectation } from './read-expect.ts';
import { narrow, type ReadMeaning } from './read-locator.ts';
import { argumentsOf, changes, propertyName, readValue } from './read-value.ts';
import { addHeaders, applySettings } from './settings.ts';
import { leaveOut, type Reading } from './test-draft.ts';

/**
 * What an expression stands for; an action that it calls is noted on the way. Objects are known by the names that the
 * test gave them, methods by an allow-list: everything else is Misunderstood.
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
      return readMember(node.object, node, scope, reading);
    case 'Identifier': {
      const known = scope.get(node.name);
      if (known === undefined) throw new Misunderstood(`${node.name} is unknown.`);
      if (known.is === 'changing') throw new Misunderstood(changes(known.name));
      return known;
    }
    default:
      return readValue(node, scope);
  }
}

function readMember(
  object: Node,
  node: Node & { type: 'MemberExpression' },
  scope: Scope,
  reading: Reading,
): Meaning {
  if (node.computed) throw new Misunderstood('Computed member names are not supported.');
  const isRoot = object.type === 'Identifier' && !scope.has(object.name);
  if (isRoot || (object.type === 'MemberExpression' && rootOf(object) === 'process'))
    return readValue(node, scope);
  const owner = readExpression(object, scope, reading);
  const name = propertyName(node.property);
  if (owner.is === 'quiet') return { is: 'quiet', name: `${owner.name}.${name}` };
  if (owner.is === 'page' && (name === 'keyboard' || name === 'mouse')) return { is: name, page: owner.page };
  if ((owner.is === 'page' || owner.is === 'context') && name === 'request') return { is: 'request' };
  if (owner.is === 'browser' && name === 'request') return { is: 'request' };
  if (owner.is === 'browser' && /^(?:chromium|firefox|webkit)$/.test(name)) return owner;
  if (owner.is === 'page' || owner.is === 'context') {
    const api = owner.is === 'page' ? pageApi : contextApi;
    const standing = standingOf(api, name);
    if (standing === 'without effect') return { is: 'quiet', name: `${api.name}.${name}` };
    if (standing !== null && standing !== 'done')
      throw new Misunderstood(`${api.name}.${name} ${standing.reason}`);
  }
  throw new Misunderstood(`The property ${name} is not supported.`);
}

function rootOf(node: Node): string | null {
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'Identifier' ? node.name : null;
}

function readCall(node: CallExpression, scope: Scope, reading: Reading): Meaning {
  const { callee } = node;
  const args = argumentsOf(node);
  const read: ReadMeaning = (inner) => readExpression(inner, scope, reading);
  const expected = asExpectation(node, scope);
  if (expected !== null) {
    const [subject] = expected.subject;
    if (subject === undefined) throw new Misunderstood('expect() has no argument.');
    const { matcher: method, negated } = expected;
    readExpectation(read(subject), { method, negated, args, scope, reading });
    return nothing;
  }
  if (callee.type !== 'MemberExpression' || callee.computed) {
    throw new Misunderstood('Function calls are not supported, because code is never executed.');
  }
  const method = propertyName(callee.property);
  if (callee.object.type === 'Identifier' && callee.object.name === 'Promise' && method === 'all')
    return readAll(args[0], read, reading);
  const call: Call = { method, args, scope, reading };
  return callOn(read(callee.object), call, read);
}

function callOn(owner: Meaning, call: Call, read: ReadMeaning): Meaning {
  const { method, reading } = call;
  switch (owner.is) {
    case 'page': {
      const locator = narrow([], call, read);
      if (locator !== null) return { is: 'locator', page: owner.page, locator };
      return actOnPage(owner.page, call, read) ?? otherwise(pageApi, call);
    }
    case 'locator': {
      const locator = narrow(owner.locator, call, read);
      if (locator !== null) return { is: 'locator', page: owner.page, locator };
      if (method === 'page') return { is: 'page', page: owner.page };
      return act(owner.page, owner.locator, call, read) ?? otherwise(locatorApi, call);
    }
    case 'keyboard':
      return actOnKeyboard(owner.page, call) ?? otherwise(keyboardApi, call);
    case 'mouse':
      return actOnMouse(owner.page, call) ?? otherwise(mouseApi, call);
    case 'request':
      return readApiRequest(call);
    case 'response':
      if (method === 'status' || method === 'ok') return { is: 'status', request: owner.request };
      throw new Misunderstood(`The result of response.${method} is known only during the replay.`);
    case 'context':
      return onContext(call) ?? otherwise(contextApi, call);
    case 'browser':
      return onBrowser(call) ?? otherwise(browserApi, call);
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

/** A member that does nothing to the page: it is listed, or refused by its name. */
function otherwise(api: KnownApi, { method, reading }: Call): Meaning {
  const standing = standingOf(api, method);
  if (standing === null || standing === 'done')
    throw new Misunderstood(
      `${api.name}.${method.slice(0, longestName)} is not supported.${hint(api, method)}`,
    );
  if (standing !== 'without effect') throw new Misunderstood(`${api.name}.${method} ${standing.reason}`);
  leaveOut(reading, `${api.name}.${method}`);
  return nothing;
}

/** In a reason. */
const longestName = 100;

/** A word that was mistyped. */
function hint(api: KnownApi, method: string): string {
  const [nearest] = nearestNames(method, api.done);
  const isNear = nearest !== undefined && nearest[0] === method[0] && nearest !== method;
  return isNear ? ` Did you mean ${nearest}?` : '';
}

function onContext(call: Call): Meaning | null {
  const { method, args, scope, reading } = call;
  switch (method) {
    case 'newPage':
      return openPage(reading);
    case 'close':
      return nothing;
    case 'setExtraHTTPHeaders':
      addHeaders(0, args[0], scope, reading);
      return nothing;
    case 'on':
    case 'once':
    case 'waitForEvent':
      return onEvent(0, call);
    default:
      return null;
  }
}

function onBrowser({ method, args, scope, reading }: Call): Meaning | null {
  switch (method) {
    case 'launch':
      return { is: 'browser' };
    case 'newContext':
      if (reading.draft.contexts++ > 0)
        throw new Misunderstood('A second context is not supported: a replay has one visitor.');
      applySettings(args[0], scope, reading);
      return { is: 'context' };
    case 'newPage':
      applySettings(args[0], scope, reading);
      return openPage(reading);
    case 'close':
      return nothing;
    default:
      return null;
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
