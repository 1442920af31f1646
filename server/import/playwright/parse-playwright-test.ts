import type { Node, Statement } from '@babel/types';
import type { BrowserAction } from '../../../shared/browser-actions.ts';
import { problem } from '../../../shared/problem.ts';
import type { Unsupported } from '../../../shared/recording.ts';
import type { DraftRequest } from '../draft-request.ts';
import { noteOn } from '../note-on.ts';
import { readExtension, withFixtures } from './fixtures.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { adviceOnLanguage } from './other-languages.ts';
import { parseForgiving } from './parse-forgiving.ts';
import { readExpression } from './read-call.ts';
import { readDeclaration } from './read-declaration.ts';
import { bodyToPass } from './read-expect.ts';
import { applySettings } from './settings.ts';
import { asTestBlock, partsOf, type TestBlock } from './test-blocks.ts';
import { leaveOut, openDraft, type Reading, type TestDraft } from './test-draft.ts';

export type PlaywrightTest = {
  name: string | null;
  actions: BrowserAction[];
  /** Known without a browser: pages that are opened, and requests of the test itself. */
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Sentences on what was left out because it sends nothing. */
  notes: string[];
};

/** Beyond them a text is no test that a person pasted. */
const most = { characters: 1_000_000, actions: 2000 };

/**
 * Reads a Playwright test, or a script as codegen writes it, without executing any of it. One import is one test: the
 * `beforeEach` blocks and the first test of the file. Throws import_unreadable when the text is no program at all, or
 * one in another language.
 */
export function parsePlaywrightTest(text: string): PlaywrightTest {
  const advice = adviceOnLanguage(text);
  if (advice !== null) throw problem('import_unreadable', advice);
  const draft = openDraft();
  const { program, unsupported } = parseForgiving(text.slice(0, most.characters));
  draft.unsupported.push(...unsupported);
  readStatements(program.body, topScope(), draft);
  const { name, actions, requests, withoutEffect } = draft;
  return {
    ...{ name, actions, requests },
    unsupported: draft.unsupported.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    notes: noteOn(withoutEffect, 'line'),
  };
}

/** What codegen's scripts have from `require('playwright')`, and the fixtures for lines that were pasted without their test. */
function topScope(): Scope {
  const browsers = ['chromium', 'firefox', 'webkit', 'playwright'];
  const scope: Scope = new Map(browsers.map((name) => [name, { is: 'browser' }]));
  return scope
    .set('page', { is: 'page', page: 0 })
    .set('context', { is: 'context' })
    .set('browser', { is: 'browser' })
    .set('request', { is: 'request' });
}

function readStatements(statements: Statement[], scope: Scope, draft: TestDraft): void {
  for (const statement of statements) {
    const reading = { line: statement.loc?.start.line ?? 1, draft };
    const before = { actions: draft.actions.length, requests: draft.requests.length };
    try {
      if (draft.actions.length >= most.actions)
        throw new Misunderstood(`A test may have ${most.actions} actions.`);
      readStatement(statement, scope, reading);
    } catch (error) {
      if (!(error instanceof Misunderstood || error instanceof RangeError)) throw error;
      const reason = error instanceof RangeError ? 'The statement is nested too deeply.' : error.message;
      // Half a statement is none: what it did before it was not understood is taken back.
      draft.actions.length = before.actions;
      draft.requests.length = before.requests;
      draft.unsupported.push({ line: reading.line, reason });
    }
  }
}

function readStatement(statement: Statement, scope: Scope, reading: Reading): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      if (!/^(@playwright\/test|playwright(-core)?)$/.test(statement.source.value))
        throw new Misunderstood(`The import of ${statement.source.value} is ignored.`);
      nameImports(statement, scope);
      return;
    case 'ExportNamedDeclaration':
      if (statement.declaration) readStatement(statement.declaration, scope, reading);
      return;
    case 'ExpressionStatement':
      readExpressionStatement(statement.expression, scope, reading);
      return;
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) {
        const isExtension = id.type === 'Identifier' && readExtension(id.name, init ?? null, scope, reading);
        if (!isExtension) readDeclaration(id, init ?? null, scope, reading);
      }
      return;
    case 'EmptyStatement':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return;
    case 'BlockStatement':
      readStatements(statement.body, new Map(scope), reading.draft);
      return;
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

const whyNot: Record<string, string> = {
  ForStatement: 'Loops are not supported, because code is never executed.',
  ForOfStatement: 'Loops are not supported, because code is never executed.',
  ForInStatement: 'Loops are not supported, because code is never executed.',
  WhileStatement: 'Loops are not supported, because code is never executed.',
  DoWhileStatement: 'Loops are not supported, because code is never executed.',
  IfStatement: 'Conditions are not supported, because code is never executed.',
  SwitchStatement: 'Conditions are not supported, because code is never executed.',
  TryStatement: 'try is not supported, because code is never executed.',
  FunctionDeclaration: 'Functions are not supported, because code is never executed.',
  ClassDeclaration: 'Classes are not supported. Write their steps into the test.',
  ReturnStatement: 'return is not supported.',
  ThrowStatement: 'throw is not supported.',
};

function readExpressionStatement(expression: Node, scope: Scope, reading: Reading): void {
  const inner = expression.type === 'AwaitExpression' ? expression.argument : expression;
  const repeated = inner.type === 'CallExpression' ? bodyToPass(inner, scope) : null;
  const block = asTestBlock(expression, scope);
  if (repeated !== null) readStatements(partsOf(repeated).body, new Map(scope), reading.draft);
  else if (block !== null) readBlock(block, scope, reading);
  else if (inner.type === 'CallExpression' && isLog(inner.callee)) leaveOut(reading, 'console');
  else readExpression(expression, scope, reading);
}

function isLog(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'console'
  );
}

function readBlock(block: TestBlock, scope: Scope, reading: Reading): void {
  const { draft } = reading;
  const read = (statements: Statement[], inner: Scope) => readStatements(statements, inner, draft);
  switch (block.kind) {
    case 'test':
      if (draft.name !== null) throw new Misunderstood('Only the first test is imported.');
      draft.name = block.name ?? 'Test';
      read(block.body, withFixtures(scope, block.fixtures, read, reading));
      return;
    case 'group':
    case 'step':
      read(block.body, new Map(scope));
      return;
    case 'before':
    case 'script':
      read(block.body, withFixtures(scope, block.fixtures, read, reading));
      return;
    case 'settings':
      applySettings(block.options, scope, reading);
      return;
    case 'quiet':
      leaveOut(reading, block.what);
      return;
    case 'refused':
      throw new Misunderstood(block.reason);
  }
}
