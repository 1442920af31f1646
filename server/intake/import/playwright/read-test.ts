import type { CallExpression, Expression, Node, Statement } from '@babel/types';
import { Misunderstood } from './meaning.ts';
import { argumentsOf, propertyName } from './read-value.ts';

/** A test that is written out, and the names that its first parameter takes from Playwright. */
export type TestCall = { title: string | null; body: Statement[]; fixtures: Fixture[] };

/** `{ page: shop }` is no fixture that an import knows: `page` is called otherwise. */
type Fixture = { line: number | undefined; name: string; isOwnName: boolean };

/** `test('title', …)`. */
export function isTest(statement: Statement): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression')
    return false;
  const { callee } = statement.expression;
  return callee.type === 'Identifier' && callee.name === 'test';
}

/** `test.describe` of such a call as a text; null when it is no call of the test runner. */
export function testCallName({ callee }: CallExpression): string | null {
  const names = namesOf(callee);
  return /^(?:test|it|describe)$/.test(names[0] ?? '') ? names.join('.') : null;
}

/** The names that a callee is made of; none when it is not made of names alone. */
function namesOf(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const owner = namesOf(callee.object);
  return owner.length === 0 ? [] : [...owner, propertyName(callee.property)];
}

export function readTestCall(call: CallExpression): TestCall {
  const args = argumentsOf(call);
  const [title] = args;
  return { title: title?.type === 'StringLiteral' ? title.value : null, ...partsOf(args.at(-1)) };
}

/** What to do about a part of a test suite that is not read. */
export function problemOf(name: string): string {
  const [, member = ''] = name.split('.');
  const advice = Object.entries(instead).find(([, members]) => members.includes(member || name));
  return `${name.slice(0, longestName)} is not read. ${advice?.[0] ?? 'Leave it out.'}`;
}

/** In a reason. */
const longestName = 100;

const instead: Record<string, readonly string[]> = {
  'Paste one test.': ['describe', 'only', 'skip', 'fixme', 'fail', 'it'],
  'Write its lines into the test.': ['beforeEach', 'beforeAll', 'step'],
  'Write the lines of its fixtures into the test.': ['extend'],
};

type TestFunction = Node & { type: 'ArrowFunctionExpression' | 'FunctionExpression' };

export function isFunction(node: Node | undefined): node is TestFunction {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** The statements of a function that is written out in place, and the fixtures that it asks for. */
export function partsOf(node: Node | undefined): { body: Statement[]; fixtures: Fixture[] } {
  if (!isFunction(node)) throw new Misunderstood('The function must be inline.');
  const [first] = node.params;
  const properties = first?.type === 'ObjectPattern' ? first.properties : [];
  const fixtures = properties.flatMap((property): Fixture[] => {
    if (property.type !== 'ObjectProperty') return [];
    const name = propertyName(property.key);
    const isOwnName = property.value.type === 'Identifier' && property.value.name === name;
    return [{ line: property.loc?.start.line, name, isOwnName }];
  });
  const body = node.body.type === 'BlockStatement' ? node.body.body : [asStatement(node.body)];
  return { body, fixtures };
}

function asStatement(expression: Expression): Statement {
  return { ...expression, type: 'ExpressionStatement', expression } as Statement;
}
