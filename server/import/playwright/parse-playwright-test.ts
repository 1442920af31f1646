import type { Node, Statement } from '@babel/types';
import type { BrowserAction } from '../../../shared/browser-actions.ts';
import type { Unsupported } from '../../../shared/recording.ts';
import type { DraftRequest } from '../draft-request.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { parseForgiving } from './parse-forgiving.ts';
import { readExpression } from './read-call.ts';
import { readOptions, readText } from './read-value.ts';
import { asTestBlock, type TestBlock } from './test-blocks.ts';
import { openDraft, type Reading, type TestDraft } from './test-draft.ts';

export type PlaywrightTest = {
  name: string | null;
  actions: BrowserAction[];
  /** Known without a browser: pages that are opened, and requests of the test itself. */
  requests: DraftRequest[];
  unsupported: Unsupported[];
};

/** Beyond them a text is no test that a person pasted. */
const most = { characters: 1_000_000, actions: 2000 };

/**
 * Reads a Playwright test, or a script as codegen writes it, without executing any of it. One import is one test: the
 * `beforeEach` blocks and the first test of the file. Throws import_unreadable when the text is no program at all.
 */
export function parsePlaywrightTest(text: string): PlaywrightTest {
  const draft = openDraft();
  const { program, unsupported } = parseForgiving(text.slice(0, most.characters));
  draft.unsupported.push(...unsupported);
  readStatements(program.body, topScope(), draft);
  const { name, actions, requests } = draft;
  return {
    name,
    actions,
    requests,
    unsupported: draft.unsupported.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

/** What codegen's scripts have from `require('playwright')`, and the fixtures for lines that were pasted without their test. */
function topScope(): Scope {
  const browsers = ['chromium', 'firefox', 'webkit', 'playwright'];
  const scope: Scope = new Map(browsers.map((name) => [name, { is: 'browser' }]));
  return withFixtures(scope, ['page', 'context', 'browser', 'request']);
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
      if (/^(@playwright\/test|playwright(-core)?)$/.test(statement.source.value)) return;
      throw new Misunderstood(`The import of ${statement.source.value} is ignored.`);
    case 'ExpressionStatement':
      readExpressionStatement(statement.expression, scope, reading);
      return;
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) readDeclaration(id, init ?? null, scope, reading);
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
  const block = asTestBlock(expression);
  if (block === null) {
    readExpression(expression, scope, reading);
    return;
  }
  readBlock(block, scope, reading);
}

function readBlock(block: TestBlock, scope: Scope, { draft }: Reading): void {
  switch (block.kind) {
    case 'test':
      if (draft.name !== null) throw new Misunderstood('Only the first test is imported.');
      draft.name = block.name ?? 'Test';
      readStatements(block.body, withFixtures(scope, block.fixtures), draft);
      return;
    case 'group':
    case 'step':
      readStatements(block.body, new Map(scope), draft);
      return;
    case 'before':
    case 'script':
      readStatements(block.body, withFixtures(scope, block.fixtures), draft);
      return;
    case 'settings': {
      const baseUrl = readOptions(block.options).get('baseURL');
      if (baseUrl === undefined) throw new Misunderstood('Only the baseURL setting is supported.');
      draft.baseUrl = readText(baseUrl, scope);
      return;
    }
    case 'refused':
      throw new Misunderstood(block.reason);
  }
}

/** `async ({ page, request })`, by the names that the fixtures have in Playwright. */
function withFixtures(scope: Scope, fixtures: string[]): Scope {
  const inner: Scope = new Map(scope);
  for (const name of fixtures) {
    if (name === 'page') inner.set(name, { is: 'page', page: 0 });
    if (name === 'context' || name === 'browser' || name === 'request') inner.set(name, { is: name });
  }
  return inner;
}

function readDeclaration(id: Node, init: Node | null, scope: Scope, reading: Reading): void {
  if (isRequire(init)) return;
  if (id.type !== 'Identifier') throw new Misunderstood('Destructuring is not supported.');
  if (init === null) throw new Misunderstood(`${id.name} has no initial value.`);
  const inner = init.type === 'AwaitExpression' ? init.argument : init;
  if (inner.type === 'ArrowFunctionExpression' || inner.type === 'FunctionExpression') {
    throw new Misunderstood(whyNot.FunctionDeclaration);
  }
  const meaning = readExpression(init, scope, reading);
  // `const page1 = await page1Promise`: the click in between is what opened it.
  const opened = meaning.is === 'popup' && inner.type === 'Identifier';
  if (opened) markOpener(meaning.page, reading.draft);
  scope.set(id.name, opened ? { is: 'page', page: meaning.page } : meaning);
}

function markOpener(page: number, { actions }: TestDraft): void {
  const click = actions.findLast(({ type }) => type === 'click');
  if (click?.type === 'click') click.opens = page;
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
