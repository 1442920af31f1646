import type { Expression, ForOfStatement, Statement } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { readExpression } from './read-call.ts';
import { readDeclaration } from './read-declaration.ts';
import { isFunction, isTest, partsOf, readTestCall, type TestCall, testCallName } from './read-test.ts';
import { argumentsOf, readValue } from './read-value.ts';
import { applySettings } from './settings.ts';
import type { Reading, TestDraft } from './test-draft.ts';

const mostActions = 2000;

/** Reads each statement. Half a statement is none: one that is not understood is taken back, and its line is named. */
export function readStatements(statements: readonly Statement[], scope: Scope, draft: TestDraft): void {
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
