import type { CallExpression, Node, Statement } from '@babel/types';
import { Misunderstood } from './meaning.ts';
import { argumentsOf, propertyName } from './read-value.ts';

/** The calls that hold statements: tests, groups, steps, set-up, and the function around codegen's scripts. */
export type TestBlock =
  | { kind: 'test'; name: string | null; body: Statement[]; fixtures: string[] }
  | { kind: 'group' | 'step'; body: Statement[] }
  | { kind: 'before' | 'script'; body: Statement[]; fixtures: string[] }
  | { kind: 'settings'; options: Node | undefined }
  | { kind: 'refused'; reason: string };

/** Null when the expression is no such call. */
export function asTestBlock(expression: Node): TestBlock | null {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  if (call.type !== 'CallExpression') return null;
  if (isFunction(call.callee)) return { kind: 'script', ...partsOf(call.callee) };
  const name = dottedNameOf(call.callee);
  if (name === null) return null;
  switch (name) {
    case 'test':
    case 'it':
    case 'test.only':
      return { kind: 'test', name: titleOf(call), ...partsOf(lastArgument(call)) };
    case 'test.describe':
    case 'test.describe.only':
    case 'test.describe.serial':
    case 'test.describe.parallel':
    case 'describe':
      return { kind: 'group', body: partsOf(lastArgument(call)).body };
    case 'test.step':
      return { kind: 'step', body: partsOf(lastArgument(call)).body };
    case 'test.beforeEach':
    case 'test.beforeAll':
      return { kind: 'before', ...partsOf(lastArgument(call)) };
    case 'test.use':
      return { kind: 'settings', options: argumentsOf(call)[0] };
    case 'test.skip':
    case 'test.fixme':
      return { kind: 'refused', reason: 'Skipped tests are not imported.' };
    case 'test.afterEach':
    case 'test.afterAll':
      return { kind: 'refused', reason: 'Hooks after a test are not imported.' };
    default:
      return name.startsWith('test.')
        ? { kind: 'refused', reason: `${name} changes nothing in a scenario.` }
        : null;
  }
}

type TestFunction = Node & { type: 'ArrowFunctionExpression' | 'FunctionExpression' };

function isFunction(node: Node): node is TestFunction {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

function lastArgument(call: CallExpression): Node | undefined {
  return argumentsOf(call).at(-1);
}

function titleOf(call: CallExpression): string | null {
  const [title] = argumentsOf(call);
  if (title?.type === 'StringLiteral') return title.value;
  return title?.type === 'TemplateLiteral' ? (title.quasis[0]?.value.cooked ?? null) : null;
}

function partsOf(node: Node | undefined): { body: Statement[]; fixtures: string[] } {
  if (node === undefined || !isFunction(node)) throw new Misunderstood('The function must be inline.');
  const fixtures = node.params.flatMap((parameter) => {
    if (parameter.type !== 'ObjectPattern') return [];
    return parameter.properties.flatMap((property) =>
      property.type === 'ObjectProperty' ? [propertyName(property.key)] : [],
    );
  });
  if (node.body.type === 'BlockStatement') return { body: node.body.body, fixtures };
  const statement: Statement = {
    ...node.body,
    type: 'ExpressionStatement',
    expression: node.body,
  } as Statement;
  return { body: [statement], fixtures };
}

/** `test.describe.only` of such a callee; null when it is not made of names alone. */
function dottedNameOf(callee: Node): string | null {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed) return null;
  const owner = dottedNameOf(callee.object);
  return owner === null ? null : `${owner}.${propertyName(callee.property)}`;
}
