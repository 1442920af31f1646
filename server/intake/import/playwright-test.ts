import { type ParseError, type ParserOptions, parse } from '@babel/parser';
import type { Expression, ForOfStatement, Node, Program, Statement } from '@babel/types';
import { problem } from '../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import type { DraftRequest } from './draft-request.ts';
import { readExpression } from './playwright-calls.ts';
import {
  isFunction,
  isTest,
  openDraft,
  partsOf,
  type Reading,
  readTestCall,
  type TestCall,
  type TestDraft,
  testCallName,
} from './playwright-options.ts';
import { adviceOnLanguage, applySettings, isWait, opened } from './playwright-settings.ts';
import { argumentsOf, type Meaning, Misunderstood, readValue, type Scope } from './playwright-values.ts';
import { noteOn } from './recording-schema.ts';

type PlaywrightTest = {
  name: string | null;
  actions: BrowserAction[];
  /** Known without a browser: pages that are opened, and requests of the test itself. */
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Sentences on what was left out because it sends nothing. */
  notes: string[];
};

/** Beyond them a text is no test that a person pasted. */
const mostCharacters = 1_000_000;

/**
 * Reads a Playwright test, or a script as codegen writes it, without executing any of it. One import is one test:
 * suites, hooks, and fixtures are refused by their names. Throws import_unreadable when the text is no program at all, or one
 * in another language.
 */
export function parsePlaywrightTest(text: string): PlaywrightTest {
  const advice = adviceOnLanguage(text);
  if (advice !== null) throw problem('import_unreadable', advice);
  const draft = openDraft();
  const { program, unsupported } = parseForgiving(text.slice(0, mostCharacters));
  draft.unsupported.push(...unsupported);
  const scope = topScope();
  // Its constants and settings may stand behind a test.
  const tests = program.body.filter(isTest);
  readStatements(
    program.body.filter((statement) => !isTest(statement)),
    scope,
    draft,
  );
  readStatements(tests, scope, draft);
  const { name, actions, requests, withoutEffect } = draft;
  return {
    ...{ name, actions, requests },
    unsupported: onceEach(draft.unsupported).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    notes: noteOn(withoutEffect, 'line'),
  };
}

/** Removes repetitions: a line in a loop is refused in each of its rounds. */
function onceEach(unsupported: readonly Unsupported[]): Unsupported[] {
  return [...new Map(unsupported.map((each) => [`${each.line} ${each.reason}`, each])).values()];
}

/** Names that codegen's scripts have from `require('playwright')`, and the fixtures for lines that were pasted without their test. */
function topScope(): Scope {
  const browsers = ['chromium', 'firefox', 'webkit'];
  const scope: Scope = new Map(browsers.map((name) => [name, { is: 'browser' }]));
  return scope
    .set('page', { is: 'page', page: 0 })
    .set('context', { is: 'context' })
    .set('browser', { is: 'browser' })
    .set('request', { is: 'request' });
}

const mostRepairs = 20;
/** In characters, of all attempts together: a large text with many broken lines is given up sooner. */
const mostParsed = 3_000_000;
const options: ParserOptions = {
  sourceType: 'module',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  errorRecovery: true,
  plugins: ['typescript', 'jsx'],
};

/**
 * The syntax tree of a text that may have broken lines: a line that stands in the way is blanked and named, so that the
 * others keep their numbers. Throws import_unreadable when that does not help.
 */
function parseForgiving(text: string): { program: Program; unsupported: Unsupported[] } {
  const lines = text.split('\n');
  const unsupported: Unsupported[] = [];
  // A repair takes three attempts.
  const repairs = Math.min(mostRepairs, Math.floor(mostParsed / 3 / Math.max(1, text.length)));
  for (let repair = 0; repair <= repairs; repair++) {
    const result = tryParse(lines);
    if ('program' in result) return { program: result.program, unsupported };
    const line = lineToBlank(lines, result.line);
    unsupported.push({ line, reason: 'This line is neither JavaScript nor TypeScript.' });
    lines[line - 1] = '';
  }
  throw problem(
    'import_unreadable',
    `Line ${unsupported[0]?.line ?? 1} and ${repairs} more are neither JavaScript nor TypeScript.`,
  );
}

type Result = { program: Program } | { line: number };

function tryParse(lines: string[]): Result {
  try {
    return { program: parse(lines.join('\n'), options).program };
  } catch (error) {
    if (error instanceof RangeError) {
      throw problem('import_unreadable', 'The test is nested too deeply to be read.');
    }
    const { loc } = error as ParseError;
    if (!(error instanceof SyntaxError) || loc === undefined) throw error;
    return { line: Math.min(loc.line, lines.length) };
  }
}

/** The parser often stumbles in the line after the broken one: the one whose absence lets it come further is meant. */
function lineToBlank(lines: string[], stumbled: number): number {
  const before = lines.slice(0, stumbled - 1).findLastIndex((line) => line.trim() !== '') + 1;
  if (before === 0) return stumbled;
  return reach(lines, before) > reach(lines, stumbled) ? before : stumbled;
}

function reach(lines: string[], without: number): number {
  const result = tryParse(lines.with(without - 1, ''));
  return 'program' in result ? Number.POSITIVE_INFINITY : result.line;
}

const mostActions = 2000;

/** Reads each statement. Half a statement is none: one that is not understood is taken back, and its line is named. */
function readStatements(statements: readonly Statement[], scope: Scope, draft: TestDraft): void {
  for (const statement of statements) {
    const line = statement.loc?.start.line ?? 1;
    const before = { actions: draft.actions.length, requests: draft.requests.length };
    try {
      if (draft.actions.length >= mostActions)
        throw new Misunderstood(`A test may have ${mostActions} actions.`);
      readStatement(statement, scope, { line, draft });
    } catch (error) {
      if (!(error instanceof Misunderstood || error instanceof RangeError)) throw error;
      const reason = error instanceof RangeError ? 'The statement is nested too deeply.' : error.message;
      draft.actions.length = before.actions;
      draft.requests.length = before.requests;
      draft.unsupported.push({ line, reason });
    }
  }
}

function readStatement(statement: Statement, scope: Scope, reading: Reading): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      demandKnown(statement);
      return;
    case 'ExpressionStatement':
      readExpressionStatement(statement.expression, scope, reading);
      return;
    case 'VariableDeclaration':
      if (statement.kind !== 'const')
        throw new Misunderstood(
          `What is declared with ${statement.kind} may change, and code is never executed. Declare it with const.`,
        );
      for (const { id, init } of statement.declarations) readDeclaration(id, init ?? null, scope, reading);
      return;
    case 'EmptyStatement':
      return;
    case 'BlockStatement':
      readStatements(statement.body, new Map(scope), reading.draft);
      return;
    case 'ForOfStatement':
      readRounds(statement, scope, reading);
      return;
    default:
      throw new Misunderstood(whyNot[statement.type] ?? 'This kind of statement is not read. Leave it out.');
  }
}

function demandKnown({ source, specifiers }: Statement & { type: 'ImportDeclaration' }): void {
  if (!/^(@playwright\/test|playwright(-core)?)$/.test(source.value))
    throw new Misunderstood(`The import of ${source.value} is not read. Write what it does into the test.`);
  for (const { local, ...specifier } of specifiers) {
    if (!('imported' in specifier) || specifier.imported.type !== 'Identifier') continue;
    const { name } = specifier.imported;
    if (name !== local.name)
      throw new Misunderstood(`${name} under the name ${local.name} is not read. Import it as ${name}.`);
  }
}

/** In characters of the source, of all rounds together, as loops in loops multiply. A round costs something by itself. */
const longestLoops = 100_000;

/** `for (const word of ['a', 'b'])`: the statements once for each value of a list that is written out. */
function readRounds(statement: ForOfStatement, scope: Scope, reading: Reading): void {
  const { left, right, body, await: isAsync } = statement;
  const id = left.type === 'VariableDeclaration' && left.kind === 'const' ? left.declarations[0]?.id : null;
  const isList = right.type === 'ArrayExpression' || right.type === 'Identifier';
  const list = isList ? readValue(right, scope) : null;
  if (id?.type !== 'Identifier' || list?.is !== 'list' || isAsync) throw new Misunderstood(loops);
  const statements = body.type === 'BlockStatement' ? body.body : [body];
  if (statements.some(isTest))
    throw new Misunderstood('A loop that makes tests is not read. Paste one test.');
  for (const value of list.items) {
    reading.draft.loops += 100 + scope.size + (body.end ?? 0) - (body.start ?? 0);
    if (reading.draft.loops > longestLoops)
      throw new Misunderstood('The rounds of the loops come to more than 100,000 characters. Write fewer.');
    readStatements(statements, new Map(scope).set(id.name, value), reading.draft);
  }
}

const loops =
  "Only loops such as for (const word of ['a', 'b']) are read, because code is never executed. Write out each round.";
const conditions =
  'Conditions are not supported, because code is never executed. Keep only the branch that runs.';

const whyNot: Record<string, string> = {
  ForStatement: loops,
  ForInStatement: loops,
  WhileStatement: loops,
  DoWhileStatement: loops,
  IfStatement: conditions,
  SwitchStatement: conditions,
  TryStatement: 'try is not supported, because code is never executed. Write its lines without try.',
  FunctionDeclaration:
    'Functions are not supported, because code is never executed. Write their steps into the test.',
  ClassDeclaration: 'Classes are not supported. Write their steps into the test.',
  ReturnStatement: 'return is not read. Leave out what comes after it, too.',
  ThrowStatement: 'throw is not read. Leave out what comes after it, too.',
};

function readExpressionStatement(expression: Expression, scope: Scope, reading: Reading): void {
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
  const name = call.type === 'CallExpression' ? testCallName(call) : null;
  if (call.type !== 'CallExpression') readExpression(expression, scope, reading);
  // The function around a script of codegen.
  else if (isFunction(call.callee)) readStatements(partsOf(call.callee).body, scope, reading.draft);
  else if (name === 'test') readTest(readTestCall(call), scope, reading);
  else if (name === 'test.use') applySettings(argumentsOf(call)[0], { scope, reading });
  else readExpression(expression, scope, reading);
}

/** Its name counts as taken, whatever is understood of it: one import is one test. */
function readTest({ title, body, fixtures }: TestCall, scope: Scope, { line, draft }: Reading): void {
  if (draft.name !== null)
    throw new Misunderstood('Only the first test is imported. Import this one from a file of its own.');
  draft.name = title ?? 'Test';
  for (const { name, isOwnName, ...at } of fixtures) {
    if (isOwnName && playwrightsOwn.has(name)) continue;
    const reason = `The fixture ${name} is not read. Use ${[...playwrightsOwn].join(', ')} under their own names.`;
    draft.unsupported.push({ line: at.line ?? line, reason });
  }
  readStatements(body, new Map(scope), draft);
}

const playwrightsOwn: ReadonlySet<string> = new Set(['page', 'context', 'browser', 'request']);

/** `const field = page.getByLabel('Name')`: from then on the name means what stands behind it. */
function readDeclaration(id: Node, init: Node | null, scope: Scope, reading: Reading): void {
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

/** Reads a locator as Playwright prints it, such as `getByRole('button', { name: 'Search' })`; null when it is not understood. */
export function parseLocator(text: string): Locator | null {
  const { actions } = parsePlaywrightTest(
    `test('', async ({ page }) => {\n await page.${text}.hover();\n});`,
  );
  const [action] = actions;
  return action?.type === 'hover' ? action.locator : null;
}
