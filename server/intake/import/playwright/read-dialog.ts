import type { Node, Statement } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { isFunction, partsOf } from './read-test.ts';
import { argumentsOf, propertyName, readText } from './read-value.ts';

const nothingElse = 'A handler of a dialog may accept or dismiss it, and nothing else.';

/** What a handler of dialogs answers, as codegen writes it: `dialog => { …; dialog.dismiss().catch(() => {}); }`. */
export function readDialogAnswer(
  handler: Node | undefined,
  scope: Scope,
): { accept: boolean; text: string | null } {
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
