import type { CallExpression, Expression, Node } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { argumentsOf, propertyName } from './read-value.ts';

/** The parts of `expect(subject).not.matcher(…)` and `expect.soft(subject).matcher(…)`. */
export type Expected = { subject: Expression[]; matcher: string; negated: boolean };

/** Null when the call is no expectation. Throws Misunderstood for those that run code. */
export function asExpectation(call: CallExpression, scope: Scope): Expected | null {
  if (call.callee.type !== 'MemberExpression' || call.callee.computed) return null;
  let inner: Node = call.callee.object;
  let negated = false;
  while (inner.type === 'MemberExpression' && !inner.computed) {
    const word = propertyName(inner.property);
    if (!/^(?:not|resolves|rejects)$/.test(word)) return null;
    if (word === 'not') negated = !negated;
    inner = inner.object;
  }
  if (inner.type !== 'CallExpression') return null;
  const kind = kindOf(inner.callee, scope);
  if (kind === null) return null;
  const matcher = propertyName(call.callee.property);
  if (kind === 'poll') throw new Misunderstood('expect.poll runs code of the test, so it is not checked.');
  if (kind !== 'expect' && kind !== 'soft') throw new Misunderstood(`expect.${kind} is not supported.`);
  return { subject: argumentsOf(inner), matcher, negated };
}

/** The body of `expect(async () => { … }).toPass()`: repeated until it passes there, done once here. */
export function bodyToPass(call: CallExpression, scope: Scope): Node | null {
  const expected = asExpectation(call, scope);
  const [subject] = expected?.subject ?? [];
  return expected?.matcher === 'toPass' && subject !== undefined ? subject : null;
}

/** `expect`, or the word behind it, such as `soft`; null when it is something else. */
function kindOf(callee: Node, scope: Scope): string | null {
  if (callee.type === 'Identifier') return isExpect(callee.name, scope) ? 'expect' : null;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier')
    return null;
  return isExpect(callee.object.name, scope) ? propertyName(callee.property) : null;
}

function isExpect(name: string, scope: Scope): boolean {
  return name === 'expect' || scope.get(name)?.is === 'expect';
}
