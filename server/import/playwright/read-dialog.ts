import type { CallExpression, Node, Statement } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { argumentsOf, propertyName, readText } from './read-value.ts';

/** What a handler of dialogs answers, as codegen writes it: `dialog => { …; dialog.dismiss().catch(() => {}); }`. */
export function readDialogAnswer(
  handler: Node | undefined,
  scope: Scope,
): { accept: boolean; text: string | null } {
  const isFunction = handler?.type === 'ArrowFunctionExpression' || handler?.type === 'FunctionExpression';
  const dialog = isFunction ? handler.params[0] : undefined;
  if (!isFunction || dialog?.type !== 'Identifier')
    throw new Misunderstood('The handler of a dialog must be written out in place.');
  const calls = expressionsOf(handler.body).map(innerCall);
  const answers = calls.filter((call) => call !== null && ownerOf(call) === dialog.name);
  const [answer] = answers;
  if (
    answers.length !== 1 ||
    answer == null ||
    calls.some((call) => call === null || !isHarmless(call, dialog.name))
  )
    throw new Misunderstood('A handler of a dialog may accept or dismiss it, and nothing else.');
  const method = methodOf(answer);
  if (method === 'dismiss') return { accept: false, text: null };
  if (method !== 'accept') throw new Misunderstood(`dialog.${method} is not supported.`);
  const [text] = argumentsOf(answer);
  return { accept: true, text: text === undefined ? null : readText(text, scope) };
}

function expressionsOf(body: Node): Node[] {
  if (body.type !== 'BlockStatement') return [body];
  return body.body.map((statement: Statement) => {
    if (statement.type === 'ExpressionStatement') return statement.expression;
    if (statement.type === 'ReturnStatement' && statement.argument) return statement.argument;
    throw new Misunderstood('A handler of a dialog may accept or dismiss it, and nothing else.');
  });
}

/** Without `await` before it and `.catch(…)` behind it. */
function innerCall(node: Node): CallExpression | null {
  if (node.type === 'AwaitExpression') return innerCall(node.argument);
  if (node.type !== 'CallExpression') return null;
  const isCatch = node.callee.type === 'MemberExpression' && methodOf(node) === 'catch';
  return isCatch && node.callee.type === 'MemberExpression' ? innerCall(node.callee.object) : node;
}

function isHarmless(call: CallExpression, dialog: string): boolean {
  return ownerOf(call) === dialog || ownerOf(call) === 'console';
}

function ownerOf({ callee }: CallExpression): string | null {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier'
    ? callee.object.name
    : null;
}

function methodOf({ callee }: CallExpression): string {
  return callee.type === 'MemberExpression' && !callee.computed ? propertyName(callee.property) : '';
}
