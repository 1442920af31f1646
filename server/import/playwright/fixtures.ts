import type { Expression, Node, Statement } from '@babel/types';
import { standingOf } from './api/known-api.ts';
import { settingsApi } from './api/settings-api.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readExpression } from './read-call.ts';
import { argumentsOf, propertyName } from './read-value.ts';
import { applySettings } from './settings.ts';
import { type Fixture, isFunction, partsOf, testNameOf } from './test-blocks.ts';
import type { Reading } from './test-draft.ts';

export type ReadStatements = (statements: Statement[], scope: Scope) => void;

const mostFixtures = 1000;

/** `async ({ page, request })`: Playwright's own by their names, others by what the test says of them. */
export function withFixtures(
  scope: Scope,
  fixtures: readonly Fixture[],
  read: ReadStatements,
  reading: Reading,
): Scope {
  const inner: Scope = new Map(scope);
  for (const { name, called } of fixtures) {
    // Each may use two others, and each of those two more.
    if (++reading.draft.fixtures > mostFixtures)
      throw new Misunderstood(`The fixtures of this test use one another more than ${mostFixtures} times.`);
    const own = scope.get(`fixture ${name}`);
    if (own?.is === 'fixture') bindFixture(own.provide, called, inner, read, reading);
    else if (name === 'page') inner.set(called, { is: 'page', page: 0 });
    else if (name === 'playwright') inner.set(called, { is: 'browser' });
    else if (name === 'context' || name === 'browser' || name === 'request') inner.set(called, { is: name });
  }
  return inner;
}

/** What stands before `await use(value)` is done before the test, which knows the value by the fixture's name. */
function bindFixture(
  provide: Node,
  called: string,
  inner: Scope,
  read: ReadStatements,
  reading: Reading,
): void {
  const { body, fixtures } = partsOf(provide);
  const use =
    isFunction(provide) && provide.params[1]?.type === 'Identifier' ? provide.params[1].name : 'use';
  // A fixture may be built on the one of its own name that it takes the place of.
  const outer = new Map([...inner].filter(([name]) => name !== `fixture ${called}`));
  const scope = withFixtures(outer, fixtures, read, reading);
  const at = body.findIndex((statement) => usedIn(statement, use) !== null);
  const used = body[at] === undefined ? null : usedIn(body[at], use);
  if (used === null) throw new Misunderstood(`The fixture ${called} does not call ${use}() in its own body.`);
  read(body.slice(0, at), scope);
  const [value] = used;
  if (value !== undefined) inner.set(called, readExpression(value, scope, reading));
  if (at < body.length - 1)
    reading.draft.unsupported.push({
      line: body[at + 1]?.loc?.start.line ?? reading.line,
      reason: `What the fixture ${called} does after the test is not imported.`,
    });
}

function usedIn(statement: Statement, use: string): Node[] | null {
  if (statement.type !== 'ExpressionStatement') return null;
  const { expression } = statement;
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier') return null;
  return call.callee.name === use ? argumentsOf(call) : null;
}

/** `const test = base.extend({ … })`: settings are applied, and fixtures kept for the test that uses them. */
export function readExtension(name: string, init: Node | null, scope: Scope, reading: Reading): boolean {
  if (init?.type !== 'CallExpression' || testNameOf(init.callee, scope) !== 'test.extend') return false;
  scope.set(name, { is: 'test' });
  const [given] = argumentsOf(init);
  if (given?.type !== 'ObjectExpression')
    throw new Misunderstood('The fixtures must be written out in place.');
  for (const property of given.properties) {
    if (property.type === 'SpreadElement' || property.computed)
      throw new Misunderstood('The fixtures must be written out in place.');
    const fixture = propertyName(property.key);
    const value = property.type === 'ObjectMethod' ? property : providerOf(property.value);
    if (isFunction(value)) scope.set(`fixture ${fixture}`, { is: 'fixture', provide: value });
    else if (standingOf(settingsApi, fixture) !== null && property.type === 'ObjectProperty')
      applySettings({ ...given, properties: [{ ...property, value }] }, scope, reading);
    else
      reading.draft.unsupported.push({
        line: property.loc?.start.line ?? reading.line,
        reason: `The option ${fixture} is the test's own, and its value is not known.`,
      });
  }
  return true;
}

/** `[value, { option: true }]`. */
function providerOf(node: Node) {
  const [first] = node.type === 'ArrayExpression' ? node.elements : [];
  return (first ?? node) as Expression;
}
