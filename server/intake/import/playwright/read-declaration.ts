import type { Node } from '@babel/types';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { isWait, opened } from './read-all.ts';
import { readExpression } from './read-call.ts';
import { isFunction } from './read-test.ts';
import type { Reading } from './test-draft.ts';

/** `const field = page.getByLabel('Name')`: from then on the name means what stands behind it. */
export function readDeclaration(id: Node, init: Node | null, scope: Scope, reading: Reading): void {
  if (isRequire(init)) return;
  if (id.type === 'ArrayPattern' && init !== null) {
    readList(id.elements, readExpression(init, scope, reading), scope);
    return;
  }
  if (id.type !== 'Identifier')
    throw new Misunderstood('Destructuring is not supported. Give each value a name of its own.');
  if (init === null) throw new Misunderstood(`${id.name} has no initial value.`);
  // A wait that begins before the click that ends it, and is awaited behind it.
  if (isWait(init)) {
    scope.set(id.name, { is: 'wait', call: init });
    return;
  }
  const inner = init.type === 'AwaitExpression' ? init.argument : init;
  if (isFunction(inner)) {
    throw new Misunderstood(
      'Functions are not supported, because code is never executed. Write their steps into the test.',
    );
  }
  const meaning = readExpression(init, scope, reading);
  // `const page1 = await page1Promise`: the click in between is what opened it.
  const isAwaited = init.type === 'AwaitExpression' && inner.type === 'Identifier';
  scope.set(id.name, isAwaited ? opened(meaning, reading.draft) : meaning);
}

/** `const [popup] = await Promise.all([…])`. */
function readList(names: readonly (Node | null)[], meaning: Meaning, scope: Scope): void {
  if (meaning.is !== 'list') throw new Misunderstood('Destructuring is supported for Promise.all only.');
  for (const [index, name] of names.entries()) {
    if (name === null) continue;
    if (name.type !== 'Identifier')
      throw new Misunderstood('Destructuring is not supported. Give each value a name of its own.');
    scope.set(name.name, meaning.items[index] ?? { is: 'nothing' });
  }
}

function isRequire(node: Node | null): boolean {
  return (
    node?.type === 'CallExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'require' &&
    node.arguments[0]?.type === 'StringLiteral' &&
    /^(@playwright\/test|playwright(-core)?)$/.test(node.arguments[0].value)
  );
}
