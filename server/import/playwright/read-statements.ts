import type { Node, Statement } from '@babel/types';
import type { Unsupported } from '../../../shared/recording.ts';
import { readExtension, withFixtures } from './fixtures.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readExpression } from './read-call.ts';
import { readDeclaration } from './read-declaration.ts';
import { bodyToPass } from './read-expect.ts';
import { applySettings } from './settings.ts';
import { asTestBlock, type Fixture, partsOf, type TestBlock } from './test-blocks.ts';
import { leaveOut, type Reading, type TestDraft } from './test-draft.ts';

const mostActions = 2000;

/** Reads the statements of a function, up to one that ends it. Returns whether there was one. */
export function readStatements(statements: readonly Statement[], scope: Scope, draft: TestDraft): boolean {
  for (const [index, statement] of statements.entries()) {
    const reading = { line: statement.loc?.start.line ?? 1, draft };
    const isEnd = attempt(reading, () => readStatement(statement, scope, reading));
    if (!isEnd) continue;
    const next = statements[index + 1];
    if (next !== undefined) draft.unsupported.push(behindTheEnd(next));
    return true;
  }
  return false;
}

/** Half a statement is none: what it did before it was not understood is taken back, and its line is named. */
export function attempt({ line, draft }: Reading, act: () => boolean): boolean {
  const before = { actions: draft.actions.length, requests: draft.requests.length };
  try {
    if (draft.actions.length >= mostActions)
      throw new Misunderstood(`A test may have ${mostActions} actions.`);
    return act();
  } catch (error) {
    if (!(error instanceof Misunderstood || error instanceof RangeError)) throw error;
    const reason = error instanceof RangeError ? 'The statement is nested too deeply.' : error.message;
    draft.actions.length = before.actions;
    draft.requests.length = before.requests;
    draft.unsupported.push({ line, reason });
    return false;
  }
}

function behindTheEnd({ loc }: Statement): Unsupported {
  return { line: loc?.start.line ?? null, reason: 'The test ends before this line, so it is not imported.' };
}

/** Returns whether it ends the function that it stands in. */
function readStatement(statement: Statement, scope: Scope, reading: Reading): boolean {
  switch (statement.type) {
    case 'ImportDeclaration':
      if (!/^(@playwright\/test|playwright(-core)?)$/.test(statement.source.value))
        throw new Misunderstood(`The import of ${statement.source.value} is ignored.`);
      nameImports(statement, scope);
      return false;
    case 'ExportNamedDeclaration':
      return statement.declaration ? readStatement(statement.declaration, scope, reading) : false;
    case 'ExpressionStatement':
      return readExpressionStatement(statement.expression, scope, reading);
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        const isExtension = id.type === 'Identifier' && readExtension(id.name, init ?? null, scope, reading);
        if (!isExtension) readDeclaration(id, init ?? null, scope, reading);
      }
      return false;
    case 'EmptyStatement':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return false;
    case 'BlockStatement':
      return readStatements(statement.body, new Map(scope), reading.draft);
    case 'ReturnStatement':
      if (statement.argument) readExpressionStatement(statement.argument, scope, reading);
      return true;
    case 'ThrowStatement':
      leaveOut(reading, 'throw');
      return true;
    default:
      throw new Misunderstood(whyNot[statement.type] ?? 'This kind of statement is not supported.');
  }
}

/** `import { test as base, expect as check }`. */
function nameImports({ specifiers }: Statement & { type: 'ImportDeclaration' }, scope: Scope): void {
  for (const specifier of specifiers) {
    if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue;
    const { name } = specifier.imported;
    if (name === 'test' || name === 'expect') scope.set(specifier.local.name, { is: name });
  }
}

const loops = 'Loops are not supported, because code is never executed. Write out each round.';
const conditions =
  'Conditions are not supported, because code is never executed. Keep only the branch that runs.';

const whyNot: Record<string, string> = {
  ForStatement: loops,
  ForOfStatement: loops,
  ForInStatement: loops,
  WhileStatement: loops,
  DoWhileStatement: loops,
  IfStatement: conditions,
  SwitchStatement: conditions,
  TryStatement: 'try is not supported, because code is never executed. Write its lines without try.',
  FunctionDeclaration:
    'Functions are not supported, because code is never executed. Write their steps into the test.',
  ClassDeclaration: 'Classes are not supported. Write their steps into the test.',
};

function readExpressionStatement(expression: Node, scope: Scope, reading: Reading): boolean {
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  const repeated = inner.type === 'CallExpression' ? bodyToPass(inner, scope) : null;
  const block = asTestBlock(expression, scope);
  if (repeated !== null) readStatements(partsOf(repeated).body, new Map(scope), reading.draft);
  else if (block !== null) return readBlock(block, scope, reading);
  else if (inner.type === 'CallExpression' && isLog(inner.callee)) leaveOut(reading, 'console');
  else readExpression(expression, scope, reading);
  return false;
}

function isLog(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'console'
  );
}

function readBlock(block: TestBlock, scope: Scope, reading: Reading): boolean {
  switch (block.kind) {
    case 'step':
      readStatements(block.body, new Map(scope), reading.draft);
      return false;
    case 'script':
      readBody(block, scope, reading);
      return false;
    case 'settings':
      applySettings(block.options, scope, reading);
      return false;
    case 'quiet':
    case 'end':
      leaveOut(reading, block.what);
      return block.kind === 'end';
    case 'refused':
      throw new Misunderstood(block.reason);
    default:
      throw new Misunderstood(
        'A test, a hook, or a group is imported only where it does not depend on code.',
      );
  }
}

/** The statements of a test or a hook, with the fixtures that it asks for. */
export function readBody({ body, fixtures }: Body, scope: Scope, reading: Reading): void {
  const read = (statements: Statement[], inner: Scope) =>
    void readStatements(statements, inner, reading.draft);
  attempt(reading, () => {
    read(body, withFixtures(scope, fixtures, read, reading));
    return false;
  });
}

export type Body = { body: Statement[]; fixtures: Fixture[] };
