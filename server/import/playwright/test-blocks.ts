import type { CallExpression, Expression, Node, Statement } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { argumentsOf, propertyName } from './read-value.ts';

/** The calls that hold statements: tests, groups, steps, set-up, and the function around codegen's scripts. */
export type TestBlock =
  | { kind: 'test'; name: string | null; isOnly: boolean; body: Statement[]; fixtures: Fixture[] }
  | { kind: 'group'; isOnly: boolean; body: Statement[] }
  | { kind: 'step'; body: Statement[] }
  /** `every` stands for beforeEach, which comes behind all that are done once. */
  | { kind: 'before'; every: boolean; body: Statement[]; fixtures: Fixture[] }
  | { kind: 'script'; body: Statement[]; fixtures: Fixture[] }
  /** `test.skip()`: what is behind it is not run. */
  | { kind: 'end'; what: string }
  | { kind: 'settings'; options: Node | undefined }
  | { kind: 'quiet'; what: string }
  | { kind: 'refused'; reason: string };

/** `{ page: shop }`: what it is called in Playwright, and in the test. */
export type Fixture = { name: string; called: string };

/** Null when the expression is no such call. */
export function asTestBlock(expression: Node, scope: Scope): TestBlock | null {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression') return null;
  if (isFunction(call.callee)) return { kind: 'script', ...partsOf(call.callee) };
  const name = testNameOf(call.callee, scope);
  return name === null ? null : blockOf(name, call);
}

function blockOf(name: string, call: CallExpression): TestBlock {
  const hasBody = isFunction(argumentsOf(call).at(-1));
  switch (name) {
    case 'test':
    case 'test.only':
      return { kind: 'test', name: titleOf(call), isOnly: isOnly(name), ...partsOf(lastArgument(call)) };
    case 'test.describe':
    case 'test.describe.only':
    case 'test.describe.serial':
    case 'test.describe.serial.only':
    case 'test.describe.parallel':
    case 'test.describe.parallel.only':
      return { kind: 'group', isOnly: isOnly(name), body: partsOf(lastArgument(call)).body };
    case 'test.step':
      return { kind: 'step', body: partsOf(lastArgument(call)).body };
    case 'test.beforeEach':
    case 'test.beforeAll':
      return { kind: 'before', every: name === 'test.beforeEach', ...partsOf(lastArgument(call)) };
    case 'test.use':
      return { kind: 'settings', options: argumentsOf(call)[0] };
    case 'test.afterEach':
    case 'test.afterAll':
      return { kind: 'refused', reason: 'Hooks after a test are not imported.' };
    case 'test.abort':
      return { kind: 'refused', reason: 'test.abort ends the test, which is not supported.' };
    case 'test.extend':
      return {
        kind: 'refused',
        reason: 'Give test.extend() a name, such as const test = base.extend({ … }).',
      };
    default:
  }
  // `test.skip(browserName === 'firefox')` asks; `test.skip('title', …)` is a test that is not run.
  if (hasBody) return { kind: 'refused', reason: `${name} is not imported. Only tests that are run are.` };
  const [condition] = argumentsOf(call);
  const isSure = condition === undefined || (condition.type === 'BooleanLiteral' && condition.value);
  if (isSure && /^test\.(?:skip|fixme)$/.test(name)) return { kind: 'end', what: `${name}()` };
  return { kind: 'quiet', what: name };
}

function isOnly(name: string): boolean {
  return name.endsWith('.only');
}

type TestFunction = Node & { type: 'ArrowFunctionExpression' | 'FunctionExpression' | 'ObjectMethod' };

export function isFunction(node: Node | undefined): node is TestFunction {
  return /^(?:ArrowFunctionExpression|FunctionExpression|ObjectMethod)$/.test(node?.type ?? '');
}

function lastArgument(call: CallExpression): Node | undefined {
  return argumentsOf(call).at(-1);
}

function titleOf(call: CallExpression): string | null {
  const [title] = argumentsOf(call);
  if (title?.type === 'StringLiteral') return title.value;
  return title?.type === 'TemplateLiteral' ? (title.quasis[0]?.value.cooked ?? null) : null;
}

/** The statements of a function that is written out in place, and the fixtures that its first parameter names. */
export function partsOf(node: Node | undefined): { body: Statement[]; fixtures: Fixture[] } {
  if (!isFunction(node)) throw new Misunderstood('The function must be inline.');
  const [first] = node.params;
  const properties = first?.type === 'ObjectPattern' ? first.properties : [];
  const fixtures = properties.flatMap((property): Fixture[] => {
    if (property.type !== 'ObjectProperty') return [];
    const name = propertyName(property.key);
    return [{ name, called: property.value.type === 'Identifier' ? property.value.name : name }];
  });
  if (node.body.type === 'BlockStatement') return { body: node.body.body, fixtures };
  return { body: [asStatement(node.body)], fixtures };
}

function asStatement(expression: Expression): Statement {
  return { ...expression, type: 'ExpressionStatement', expression } as Statement;
}

/** `test.describe.only` of such a callee, whatever the file calls `test`; null when it is no member of it. */
export function testNameOf(callee: Node, scope: Scope): string | null {
  const [root, ...members] = namesOf(callee);
  if (root === undefined) return null;
  if (root === 'describe') return ['test', root, ...members].join('.');
  const isTest = root === 'test' || root === 'it' || scope.get(root)?.is === 'test';
  return isTest ? ['test', ...members].join('.') : null;
}

/** The names that a callee is made of; none when it is not made of names alone. */
function namesOf(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const owner = namesOf(callee.object);
  return owner.length === 0 ? [] : [...owner, propertyName(callee.property)];
}
