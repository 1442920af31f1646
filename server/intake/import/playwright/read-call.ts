import type { CallExpression, MemberExpression, Node } from '@babel/types';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import { readApiRequest } from './api-requests.ts';
import { elementActions } from './element-actions.ts';
import { readExpectation, subjectOf } from './expectations.ts';
import { keyboardActions, mouseActions } from './input-actions.ts';
import { quietMembers, reasonAgainst } from './known-members.ts';
import { type Meaning, Misunderstood, nothing, type Scope } from './meaning.ts';
import { awaitEvent, extraHeaders, pageActions } from './page-actions.ts';
import { readAll } from './read-all.ts';
import { narrow } from './read-locator.ts';
import { problemOf, testCallName } from './read-test.ts';
import { argumentsOf, environmentVariableOf, propertyName, readValue } from './read-value.ts';
import { applySettings } from './settings.ts';
import { type Act, addAction, type Call, leaveOut, type Reading } from './test-draft.ts';

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
