import type { CallExpression, Expression, Node, Statement } from '@babel/types';
import {
  type BrowserAction,
  browserActionSchema,
  modifiers as keys,
} from '../../../shared/scenario/browser-actions.ts';
import type { RecordedHeaders, Unsupported } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { type DraftRequest, openYield, type TakeYield } from './draft-request.ts';
import {
  argumentsOf,
  type Meaning,
  Misunderstood,
  propertyName,
  readNumber,
  readOptions,
  readText,
  readValue,
  type Scope,
} from './playwright-values.ts';
import type { WithoutEffect } from './recording-schema.ts';

/** A test that is written out, and the names that its first parameter takes from Playwright. */
export type TestCall = { title: string | null; body: Statement[]; fixtures: Fixture[] };

/** `{ page: shop }` is no fixture that an import knows: `page` is called otherwise. */
type Fixture = { line: number | undefined; name: string; isOwnName: boolean };

/** `test('title', …)`. */
export function isTest(statement: Statement): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression')
    return false;
  const { callee } = statement.expression;
  return callee.type === 'Identifier' && callee.name === 'test';
}

/** `test.describe` of such a call as a text; null when it is no call of the test runner. */
export function testCallName({ callee }: CallExpression): string | null {
  const names = namesOf(callee);
  return /^(?:test|it|describe)$/.test(names[0] ?? '') ? names.join('.') : null;
}

/** The names that a callee is made of; none when it is not made of names alone. */
function namesOf(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const owner = namesOf(callee.object);
  return owner.length === 0 ? [] : [...owner, propertyName(callee.property)];
}

export function readTestCall(call: CallExpression): TestCall {
  const args = argumentsOf(call);
  const [title] = args;
  return { title: title?.type === 'StringLiteral' ? title.value : null, ...partsOf(args.at(-1)) };
}

/** Advice on a part of a test suite that is not read. */
export function problemOf(name: string): string {
  const [, member = ''] = name.split('.');
  const advice = Object.entries(instead).find(([, members]) => members.includes(member || name));
  return `${name.slice(0, longestName)} is not read. ${advice?.[0] ?? 'Leave it out.'}`;
}

/** In a reason. */
const longestName = 100;

const instead: Record<string, readonly string[]> = {
  'Paste one test.': ['describe', 'only', 'skip', 'fixme', 'fail', 'it'],
  'Write its lines into the test.': ['beforeEach', 'beforeAll', 'step'],
  'Write the lines of its fixtures into the test.': ['extend'],
};

type TestFunction = Node & { type: 'ArrowFunctionExpression' | 'FunctionExpression' };

export function isFunction(node: Node | undefined): node is TestFunction {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

/** The statements of a function that is written out in place, and the fixtures that it asks for. */
export function partsOf(node: Node | undefined): { body: Statement[]; fixtures: Fixture[] } {
  if (!isFunction(node)) throw new Misunderstood('The function must be inline.');
  const [first] = node.params;
  const properties = first?.type === 'ObjectPattern' ? first.properties : [];
  const fixtures = properties.flatMap((property): Fixture[] => {
    if (property.type !== 'ObjectProperty') return [];
    const name = propertyName(property.key);
    const isOwnName = property.value.type === 'Identifier' && property.value.name === name;
    return [{ line: property.loc?.start.line, name, isOwnName }];
  });
  const body = node.body.type === 'BlockStatement' ? node.body.body : [asStatement(node.body)];
  return { body, fixtures };
}

function asStatement(expression: Expression): Statement {
  return { ...expression, type: 'ExpressionStatement', expression } as Statement;
}

/** Members and options of Playwright 1.65, and what an import makes of those that are no action. */

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Members of any object. They send nothing; a report lists them. */
export const quietMembers: ReadonlySet<string> = new Set(
  words(`
    all allInnerTexts allTextContents ariaSnapshot backgroundPages boundingBox bringToFront browser consoleMessages content
    cookies count coverage getAttribute highlight innerHTML innerText inputValue isChecked isClosed isConnected isDisabled
    isEditable isEnabled isHidden isVisible opener pageErrors pages pause pdf requests screencast screenshot
    setDefaultNavigationTimeout setDefaultTimeout storageState textContent title tracing url version video viewportSize
    waitForLoadState waitForRequest waitForResponse
  `),
);

/** Methods of a page that take a selector, and do what the method of that name does to the first element that it finds. */
export const selectorMethods: ReadonlySet<string> = new Set(
  words(`
    check click dblclick dispatchEvent fill focus hover press selectOption setChecked tap type uncheck
  `),
);

/** Options that change when or how patiently something is done, and not what is sent. */
const quietOptions: ReadonlySet<string> = new Set(
  words(`
    delay failOnStatusCode ignoreHTTPSErrors maxRedirects maxRetries message noWaitAfter reason runBeforeUnload scroll signal
    steps timeout useInnerText waitUntil
  `),
);

/** Settings of `test.use()`, `newContext()`, and `newPage()` that an import may ignore. */
export const quietSettings: ReadonlySet<string> = new Set(
  words('acceptDownloads headless ignoreHTTPSErrors screenshot serviceWorkers trace video'),
);

/** Each continues a sentence that begins with the member. */
const reasons: readonly (readonly [reason: string, members: readonly string[]])[] = [
  [
    'runs code in the page, which is not supported.',
    words(`
      $eval $$eval addInitScript addScriptTag evaluate evaluateAll evaluateHandle exposeBinding exposeFunction waitForFunction
    `),
  ],
  [
    'replaces responses of the server, so nothing would be measured.',
    words('route routeFromHAR routeWebSocket'),
  ],
  ['uses a file, which is not imported.', words('drop setInputFiles')],
  ['changes the network, which a run must not.', words('setOffline')],
  [
    'changes what the browser keeps. Sign in with steps of the test instead.',
    words('addCookies clearCookies localStorage sessionStorage setStorageState'),
  ],
  [
    'keeps an element that was found once. Use page.locator() instead.',
    words('$ $$ elementHandle elementHandles'),
  ],
  ['is not supported. Use page.frameLocator() instead.', words('frame frames')],
];

/** Why a member is not imported, behind its name. */
export function reasonAgainst(member: string): string {
  const found = reasons.find(([, members]) => members.includes(member));
  return found?.[0] ?? 'is not supported. Leave it out.';
}

/** Reads the value of one option; undefined is left out. */
type Reader<Value = unknown> = (node: Expression, call: Call, name: string) => Value;
type Read<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined>;
};

/** The options in that argument of a call: each of them is read, without effect and listed, or refused by its name. */
export function optionsOf<Readers extends Record<string, Reader>>(
  call: Call,
  index: number,
  readers?: Readers,
): Read<Readers> {
  const { method, args, scope, reading } = call;
  const found: Record<string, unknown> = {};
  for (const [name, node] of readOptions(args[index])) {
    // Which element a selector means is asked where it is read.
    if (name === 'strict' || (name === 'trial' && !readFlag(node, scope))) continue;
    if (name === 'trial') throw new Misunderstood(`${method} with trial does nothing in the page.`);
    const read = readers !== undefined && Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined && !quietOptions.has(name))
      throw new Misunderstood(`${method} with ${name} is not supported.`);
    const value = read?.(node, call, name);
    if (read === undefined) leaveOut(reading, `${method} with ${name}`);
    else if (value !== undefined) found[name] = value;
  }
  return found as Read<Readers>;
}

/** The first argument of a call, which is a text. */
export function firstText({ args, scope }: Call): string {
  return readText(args[0], scope);
}

export function readFlag(node: Node | undefined, scope: Scope): boolean {
  const value = node === undefined ? null : readValue(node, scope);
  if (value?.is !== 'flag') throw new Misunderstood('Expected true or false.');
  return value.flag;
}

export const flag = (node: Expression, { scope }: Call) => readFlag(node, scope);
export const number = (node: Expression, { scope }: Call) => readNumber(node, scope);
export const force = (node: Expression, { scope }: Call) => readFlag(node, scope) || undefined;

/** One of a closed list of words; null stands for the browser’s default. */
export function oneOf<Word extends string>(...known: readonly Word[]) {
  return (node: Expression, { scope }: Pick<Call, 'scope'>, name: string): Word | undefined => {
    if (node.type === 'NullLiteral') return undefined;
    const value = readValue(node, scope);
    const word = known.find((each) => value.is === 'text' && value.text === each);
    if (word === undefined) throw new Misunderstood(`${name} must be one of ${known.join(', ')}.`);
    return word;
  };
}

export const button = oneOf('left', 'right', 'middle');

/** A point, in CSS pixels. */
export function place(node: Expression, { scope }: Call): { x: number; y: number } {
  const at = readOptions(node);
  return { x: readNumber(at.get('x'), scope), y: readNumber(at.get('y'), scope) };
}

const modifier = oneOf(...keys);

function modifiers(node: Expression, call: Call) {
  if (node.type !== 'ArrayExpression') throw new Misunderstood('The modifiers must be written out in place.');
  return node.elements.flatMap((element) => {
    if (element?.type === 'SpreadElement')
      throw new Misunderstood('The modifiers must be written out in place.');
    return element === null ? [] : (modifier(element, call, 'A modifier') ?? []);
  });
}

/** Options for where and how the mouse meets an element. */
export const pointer = { modifiers, position: place, force };

/** The part of a test that has been understood so far. */
export type TestDraft = {
  /** Title of the test; null until one is read. */
  name: string | null;
  actions: BrowserAction[];
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Parts that send nothing and were left out. */
  withoutEffect: WithoutEffect[];
  /** Pages that were opened; the first is there from the start. */
  pages: number;
  /** Contexts that were opened: visitors. */
  contexts: number;
  /** Characters of the rounds of loops. */
  loops: number;
  baseUrl: string | null;
  /** Headers of every request. */
  headers: RecordedHeaders;
  /** Counts the size of all actions and requests. */
  take: TakeYield;
};

export function openDraft(): TestDraft {
  return {
    ...{ name: null, actions: [], requests: [], unsupported: [], withoutEffect: [] },
    ...{ pages: 1, contexts: 0, loops: 0, baseUrl: null, headers: [] },
    take: openYield(),
  };
}

/** The line of a statement that is being read, and where its findings go. */
export type Reading = { line: number; draft: TestDraft };

/** A call of a method whose owner is known; `read` reads an argument that may be a locator itself. */
export type Call = {
  method: string;
  args: Expression[];
  scope: Scope;
  reading: Reading;
  read: (node: Node) => Meaning;
};

/** An action before its place is known: the schema demands a locator for those that need one. */
type Unplaced<A> = A extends BrowserAction
  ? Omit<A, 'line' | 'page' | 'locator'> & { locator?: Locator | null }
  : never;
export type Act<Type extends BrowserAction['type'] = BrowserAction['type']> = Unplaced<
  Extract<BrowserAction, { type: Type }>
>;

export function addAction({ line, draft }: Reading, action: Act & { page: number }): void {
  const parsed = browserActionSchema.safeParse({ ...action, line });
  if (!parsed.success) throw new Misunderstood('A text, number, or locator is beyond the limits.');
  draft.take(line, parsed.data);
  draft.actions.push(parsed.data);
  if (parsed.data.type === 'extra_headers') draft.headers = parsed.data.headers;
}

export function addRequest({ line, draft }: Reading, request: Omit<DraftRequest, 'line'>): void {
  draft.take(line, request);
  draft.requests.push({ line, ...request });
}

export function leaveOut({ line, draft }: Reading, what: string): void {
  draft.withoutEffect.push({ line, what });
}

/** An address of a test, under its baseURL. */
export function resolveUrl(url: string, { baseUrl }: TestDraft): string {
  return baseUrl === null ? url : (resolveReference(url, baseUrl)?.href ?? url);
}
