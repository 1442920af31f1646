import type { Statement } from '@babel/types';
import { Misunderstood, type Scope } from './meaning.ts';
import { type Body, readBody, readStatements } from './read-statements.ts';
import { asTestBlock, type TestBlock } from './test-blocks.ts';
import type { Reading, TestDraft } from './test-draft.ts';

/** What is done before each test, or once before all of them. */
type Hook = Body & { every: boolean; scope: Scope; reading: Reading };

/** A test or a group, which waits until all that stands beside it is known: a hook counts wherever it is written. */
type Waiting = { block: TestBlock & { kind: 'test' | 'group' }; reading: Reading };

/**
 * Reads a file as Playwright runs it: the first test that is run, and before it the hooks and settings of the groups around
 * it. Other tests are named. A text without tests is read from top to bottom.
 */
export function readSuite(statements: readonly Statement[], scope: Scope, draft: TestDraft): void {
  const { waiting, hooks } = readLevel(statements, scope, draft);
  const isMarked = waiting.some(({ block }) => hasOnly(block, scope));
  for (const each of waiting) readWaiting(each, scope, hooks, isMarked);
  if (waiting.length === 0) for (const hook of inOrder(hooks)) readBody(hook, hook.scope, hook.reading);
}

/** What stands beside the tests of a group is read, hooks and tests are gathered. */
function readLevel(statements: readonly Statement[], scope: Scope, draft: TestDraft) {
  const waiting: Waiting[] = [];
  const hooks: Hook[] = [];
  let isSkipped = false;
  for (const statement of statements) {
    const reading = { line: statement.loc?.start.line ?? 1, draft };
    const block = blockOf(statement, scope);
    if (block?.kind === 'test' || block?.kind === 'group') waiting.push({ block, reading });
    else if (block?.kind === 'before') hooks.push({ ...block, scope, reading });
    else isSkipped = readStatements([statement], scope, draft) || isSkipped;
  }
  return { waiting, hooks, isSkipped };
}

/** Null for what is no block, and for one that is not understood, which its reader says. */
function blockOf(statement: Statement, scope: Scope): TestBlock | null {
  if (statement.type !== 'ExpressionStatement') return null;
  try {
    return asTestBlock(statement.expression, scope);
  } catch (error) {
    if (error instanceof Misunderstood) return null;
    throw error;
  }
}

/** @param isMarked whether some test is marked with only, so that the others are not run */
function readWaiting(
  { block, reading }: Waiting,
  scope: Scope,
  outer: readonly Hook[],
  isMarked: boolean,
): void {
  const { draft } = reading;
  const isTaken = draft.name !== null;
  const isOut = isMarked && !hasOnly(block, scope);
  if (isTaken || isOut) {
    const reason = isTaken
      ? 'Only the first test is imported. Import this one from a file of its own.'
      : 'Another test is marked with test.only, so this one does not run.';
    for (const line of linesOfTests(block, scope, reading.line)) draft.unsupported.push({ line, reason });
  } else if (block.kind === 'test') {
    draft.name = block.name ?? 'Test';
    for (const hook of inOrder(outer)) readBody(hook, hook.scope, hook.reading);
    readBody(block, scope, reading);
  } else readGroup(block, scope, outer, isMarked && !block.isOnly, reading);
}

function readGroup(
  { body }: TestBlock & { kind: 'group' },
  scope: Scope,
  outer: readonly Hook[],
  isMarked: boolean,
  { draft }: Reading,
): void {
  // Without a test in it, neither its settings nor its hooks count.
  if (testsIn(body, scope).length === 0) {
    for (const { statement, block } of blocksIn(body, scope))
      if (block.kind === 'refused') draft.unsupported.push({ line: lineOf(statement), reason: block.reason });
    return;
  }
  const inner: Scope = new Map(scope);
  const { waiting, hooks, isSkipped } = readLevel(body, inner, draft);
  if (isSkipped) {
    const reason = 'test.skip() skips this test.';
    for (const { line } of testsIn(body, scope)) draft.unsupported.push({ line, reason });
    return;
  }
  const isMarkedInside = isMarked || waiting.some(({ block }) => hasOnly(block, inner));
  for (const each of waiting) readWaiting(each, inner, [...outer, ...hooks], isMarkedInside);
}

/** Once before all, then before each; those of the outer groups first. */
function inOrder(hooks: readonly Hook[]): Hook[] {
  return [...hooks.filter(({ every }) => !every), ...hooks.filter(({ every }) => every)];
}

function hasOnly(block: TestBlock, scope: Scope): boolean {
  if (block.kind === 'test') return block.isOnly;
  if (block.kind !== 'group') return false;
  return block.isOnly || blocksIn(block.body, scope).some((inner) => hasOnly(inner.block, scope));
}

function linesOfTests(block: TestBlock, scope: Scope, line: number): number[] {
  return block.kind === 'group' ? testsIn(block.body, scope).map((each) => each.line) : [line];
}

/** The tests of a group and the groups in it. */
function testsIn(body: readonly Statement[], scope: Scope): { line: number }[] {
  return blocksIn(body, scope).flatMap(({ statement, block }) => {
    if (block.kind === 'group') return testsIn(block.body, scope);
    return block.kind === 'test' ? [{ line: lineOf(statement) }] : [];
  });
}

function blocksIn(body: readonly Statement[], scope: Scope): { statement: Statement; block: TestBlock }[] {
  return body.flatMap((statement) => {
    const block = blockOf(statement, scope);
    return block === null ? [] : [{ statement, block }];
  });
}

function lineOf({ loc }: Statement): number {
  return loc?.start.line ?? 1;
}
