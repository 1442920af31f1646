import type { Node, Program } from '@babel/types';

/**
 * Names whose value may be another one further down: they are assigned to, or declared again with var. What they stand for
 * depends on which code is run, so an import does not know it.
 */
export function changingNames(program: Program): ReadonlySet<string> {
  const changing = new Set<string>();
  const declared = new Set<string>();
  const waiting: Node[] = [program];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const target of targetsOf(node)) for (const name of namesIn(target)) changing.add(name);
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const name of node.declarations.flatMap(({ id }) => namesIn(id))) {
        if (declared.has(name)) changing.add(name);
        declared.add(name);
      }
    }
    waiting.push(...childrenOf(node));
  }
  return changing;
}

function targetsOf(node: Node): Node[] {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? [] : [node.left];
    case 'UpdateExpression':
      return [node.argument];
    default:
      return [];
  }
}

/** A member of an object has no name of its own. */
function namesIn(target: Node): string[] {
  if (target.type === 'Identifier') return [target.name];
  if (target.type === 'MemberExpression') return [];
  return childrenOf(target).flatMap(namesIn);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(
      (value): value is Node => typeof value === 'object' && value !== null && typeof value.type === 'string',
    )
    .filter(({ type }) => !type.startsWith('Comment'));
}
