import type { CallExpression, Expression, Node } from '@babel/types';
import { readApiRequest } from './api-requests.ts';
import { readExpectation } from './expectations.ts';
import { act } from './locator-actions.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { actOnKeyboard, actOnPage } from './page-actions.ts';
import { narrow } from './read-locator.ts';
import { argumentsOf, propertyName, readValue } from './read-value.ts';
import type { Reading } from './test-draft.ts';

/**
 * What an expression stands for; an action that it calls is noted on the way. Objects are known by the names that the
 * test gave them, methods by an allow-list: everything else is Misunderstood.
 */
export function readExpression(node: Node, scope: Scope, reading: Reading): Meaning {
  switch (node.type) {
    case 'AwaitExpression':
      return readExpression(node.argument, scope, reading);
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return readExpression(node.expression, scope, reading);
    case 'CallExpression':
      return readCall(node, scope, reading);
    case 'MemberExpression':
      return readMember(node.object, node, scope, reading);
    case 'Identifier': {
      const known = scope.get(node.name);
      if (known === undefined) throw new Misunderstood(`${node.name} is unknown.`);
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
  if (object.type === 'MemberExpression' || (object.type === 'Identifier' && !scope.has(object.name))) {
    return readValue(node, scope);
  }
  const owner = readExpression(object, scope, reading);
  const name = propertyName(node.property);
  if (owner.is === 'page' && name === 'keyboard') return { is: 'keyboard', page: owner.page };
  if (owner.is === 'page' && name === 'request') return { is: 'request' };
  if (owner.is === 'context' && name === 'request') return { is: 'request' };
  throw new Misunderstood(`The property ${name} is not supported.`);
}

function readCall(call: CallExpression, scope: Scope, reading: Reading): Meaning {
  const { callee } = call;
  const args = argumentsOf(call);
  const expected = expectationOf(call);
  if (expected !== null) {
    const [subject] = expected.subject;
    if (subject === undefined) throw new Misunderstood('expect() has no argument.');
    readExpectation(readExpression(subject, scope, reading), { ...expected, args }, scope, reading);
    return { is: 'nothing' };
  }
  if (callee.type !== 'MemberExpression' || callee.computed) {
    throw new Misunderstood('Function calls are not supported, because code is never executed.');
  }
  const method = propertyName(callee.property);
  const owner = readExpression(callee.object, scope, reading);
  switch (owner.is) {
    case 'page': {
      const locator = narrow([], method, args, scope);
      return locator === null
        ? actOnPage(owner.page, method, args, scope, reading)
        : { is: 'locator', page: owner.page, locator };
    }
    case 'locator': {
      const locator = narrow(owner.locator, method, args, scope);
      return locator === null
        ? act(owner.page, owner.locator, method, args, scope, reading)
        : { is: 'locator', page: owner.page, locator };
    }
    case 'keyboard':
      return actOnKeyboard(owner.page, method, args, scope, reading);
    case 'request':
      return readApiRequest(method, args, scope, reading);
    case 'response':
      if (method === 'status' || method === 'ok') return { is: 'status', request: owner.request };
      throw new Misunderstood(`The result of response.${method} is known only during the replay.`);
    case 'browser':
    case 'context':
      return ofBrowser(owner.is, method, reading);
    default:
      throw new Misunderstood(`${method} is not supported here.`);
  }
}

function ofBrowser(owner: 'browser' | 'context', method: string, { draft }: Reading): Meaning {
  if (method === 'launch') return { is: 'browser' };
  if (method === 'newContext') return { is: 'context' };
  if (method === 'newPage') {
    // The first page of a script is the one that every test has from the start.
    const isFirst = draft.pages === 1 && draft.actions.length === 0;
    return { is: 'page', page: isFirst ? 0 : draft.pages++ };
  }
  if (method === 'close') return { is: 'nothing' };
  throw new Misunderstood(`${owner}.${method} is not supported.`);
}

/** The parts of `expect(subject).not.matcher(…)` and `expect.soft(subject).matcher(…)`; null when it is none. */
function expectationOf(
  call: CallExpression,
): { subject: Expression[]; matcher: string; negated: boolean } | null {
  if (call.callee.type !== 'MemberExpression' || call.callee.computed) return null;
  let inner: Node = call.callee.object;
  let negated = false;
  if (inner.type === 'MemberExpression' && !inner.computed && propertyName(inner.property) === 'not') {
    negated = true;
    inner = inner.object;
  }
  if (inner.type !== 'CallExpression' || !isExpect(inner.callee)) return null;
  return { subject: argumentsOf(inner), matcher: propertyName(call.callee.property), negated };
}

function isExpect(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'expect';
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'expect' &&
    !callee.computed &&
    propertyName(callee.property) === 'soft'
  );
}
