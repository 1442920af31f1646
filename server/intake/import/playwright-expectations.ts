import type { CallExpression, Expression, Node } from '@babel/types';
import {
  type Locator,
  type LocatorPart,
  locatorPartSchema,
  type TextMatch,
} from '../../../shared/scenario/locator.ts';
import { stepSchema } from '../../../shared/scenario/scenario.ts';
import {
  type Act,
  addAction,
  type Call,
  firstText,
  flag,
  leaveOut,
  number,
  optionsOf,
  readFlag,
  resolveUrl,
} from './playwright-options.ts';
import {
  argumentsOf,
  type Meaning,
  Misunderstood,
  propertyName,
  readMatch,
  readNumber,
  readText,
  readValue,
} from './playwright-values.ts';

/** `expect(subject).not.matcher(…)` and `expect.soft(subject).matcher(…)`; null when the call is no expectation. */
export function subjectOf({ callee }: CallExpression): { subject: Expression; negated: boolean } | null {
  if (callee.type !== 'MemberExpression') return null;
  const { object } = callee;
  const negated = object.type === 'MemberExpression' && nameOf(object) === 'not';
  const inner = negated ? object.object : object;
  if (inner.type !== 'CallExpression') return null;
  const { callee: expect } = inner;
  const kind = expect.type === 'MemberExpression' ? nameOf(expect) : '';
  const root = expect.type === 'MemberExpression' ? expect.object : expect;
  if (root.type !== 'Identifier' || root.name !== 'expect') return null;
  if (kind !== '' && kind !== 'soft')
    throw new Misunderstood(`expect.${kind} is not checked, because code is never executed.`);
  const [subject] = argumentsOf(inner);
  if (subject === undefined) throw new Misunderstood('expect() has no argument.');
  return { subject, negated };
}

function nameOf(node: Node & { type: 'MemberExpression' }): string {
  return node.computed ? '' : propertyName(node.property);
}

/** A matcher as a call, with `not.` before it or without. */
type Expectation = Call & { negated: boolean };
type Matchers = Readonly<Record<string, (expectation: Expectation) => Act>>;

export function readExpectation(subject: Meaning, expectation: Expectation): void {
  const { method, reading } = expectation;
  switch (subject.is) {
    case 'page':
    case 'locator': {
      const { is, ...place } = subject;
      const matchers = is === 'page' ? pageMatchers : elementMatchers;
      const matcher = Object.hasOwn(matchers, method) ? matchers[method] : undefined;
      if (matcher === undefined)
        throw new Misunderstood(`expect(${is}).${method} is not checked. Leave it out: it sends nothing.`);
      addAction(reading, { ...matcher(expectation), ...place });
      return;
    }
    case 'text':
      leaveOut(reading, 'expect of a text of the test itself');
      return;
    case 'response':
    case 'status':
      expectOfResponse(subject, expectation);
      return;
    default:
      throw new Misunderstood('expect() supports only a page, a locator, or a response.');
  }
}

const pageMatchers: Matchers = {
  toHaveTitle: (of) => ({ type: 'expect_title', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) }),
  toHaveURL: (of) => {
    const match = matchOf(of, 0);
    const url = match.type === 'text' ? { ...match, text: resolveUrl(match.text, of.reading.draft) } : match;
    return { type: 'expect_url', match: withCase(url, of, 1), ...not(of) };
  },
};

const elementMatchers: Matchers = {
  toBeAttached: (of) => ({ type: 'expect_state', state: 'attached', ...switched(of) }),
  toBeDisabled: (of) => ({ type: 'expect_state', state: 'disabled', ...switched(of) }),
  toBeEditable: (of) => ({ type: 'expect_state', state: 'editable', ...switched(of) }),
  toBeEmpty: (of) => ({ type: 'expect_state', state: 'empty', ...switched(of) }),
  toBeEnabled: (of) => ({ type: 'expect_state', state: 'enabled', ...switched(of) }),
  toBeFocused: (of) => ({ type: 'expect_state', state: 'focused', ...switched(of) }),
  toBeInViewport: (of) => ({ type: 'expect_state', state: 'in_viewport', ...switched(of) }),
  toBeChecked: (of) => ({ type: 'expect_checked', ...switched(of) }),
  toBeVisible: (of) => ({ type: switched(of).negated ? 'expect_hidden' : 'expect_visible' }),
  toBeHidden: (of) => ({ type: switched(of).negated ? 'expect_visible' : 'expect_hidden' }),
  toHaveText: (of) => ({
    ...{ type: 'expect_text', match: withCase(matchOf(of, 0), of, 1), contains: false, ...not(of) },
  }),
  toContainText: (of) => ({
    ...{ type: 'expect_text', match: withCase(matchOf(of, 0, false), of, 1), contains: true, ...not(of) },
  }),
  toHaveValue: (of) => ({ type: 'expect_value', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) }),
  toHaveId: (of) => ({
    ...{ type: 'expect_attribute', name: 'id', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) },
  }),
  toHaveAttribute: (of) => {
    const hasValue = of.args[1] !== undefined && of.args[1].type !== 'ObjectExpression';
    const match = hasValue ? withCase(matchOf(of, 1), of, 2) : null;
    if (!hasValue) optionsOf(of, 1);
    return { type: 'expect_attribute', name: firstText(of), match, ...not(of) };
  },
  toHaveCount: (of) => ({
    ...{ type: 'expect_count', count: readNumber(of.args[0], of.scope), ...optionsOf(of, 1), ...not(of) },
  }),
};

function matchOf({ args, scope }: Expectation, index: number, exact = true): TextMatch {
  return readMatch(args[index], scope, exact);
}

function not({ negated }: { negated: boolean }): { negated?: true } {
  return negated ? { negated: true } : {};
}

const switches = { attached: flag, checked: flag, editable: flag, enabled: flag, visible: flag };

/** `toBeEnabled({ enabled: false })` is `not.toBeEnabled()`. */
function switched(expectation: Expectation): { negated?: true } {
  const isOff = Object.values(optionsOf(expectation, 0, switches)).includes(false);
  return not({ negated: expectation.negated !== isOff });
}

/** `ignoreCase` is a flag of a pattern; of a text it is refused. */
function withCase(match: TextMatch, expectation: Expectation, index: number): TextMatch {
  if (!optionsOf(expectation, index, { ignoreCase: flag }).ignoreCase) return match;
  if (match.type === 'text')
    throw new Misunderstood(`${expectation.method} with ignoreCase is supported with a pattern only.`);
  return { ...match, flags: match.flags.includes('i') ? match.flags : `${match.flags}i` };
}

/** A scenario expects a status of each step anyway; here it learns which. */
function expectOfResponse(
  subject: Meaning & { is: 'response' | 'status' },
  { method, negated, args: [value], scope, reading }: Expectation,
): void {
  const request = reading.draft.requests[subject.request];
  const isOfStatus = subject.is === 'status';
  const isEqual = isOfStatus && (method === 'toBe' || method === 'toEqual') && value !== undefined;
  const isOk = isOfStatus ? method === 'toBeTruthy' : method === 'toBeOK';
  if (negated || request === undefined || !(isEqual || isOk))
    throw new Misunderstood(`${negated ? 'not.' : ''}${method} of a response is not supported.`);
  if (!isEqual || (value.type === 'BooleanLiteral' && value.value)) return;
  const status = stepSchema.shape.expectStatus.safeParse(readNumber(value, scope));
  if (!status.success) throw new Misunderstood('A step expects a status from 200 to 599.');
  request.expectStatus = status.data;
}

/** Narrows a locator by a method of a page or a locator; null when the method is no locator. */
export function narrow(locator: Locator, call: Call): Locator | null {
  const { method, args } = call;
  // A page is no locator: it has nothing to filter or to count through.
  if (locator.length === 0 && !/^(getBy|locator$|frameLocator$)/.test(method)) return null;
  if (method === 'within') return [...locatorOf(args[0], call), nest('within_each', locator)];
  const partsOf = Object.hasOwn(narrowing, method) ? narrowing[method] : undefined;
  return partsOf === undefined ? null : [...locator, ...partsOf(call)];
}

const narrowing: Readonly<Record<string, (call: Call) => LocatorPart[]>> = {
  getByText: (call) => [named('text', call)],
  getByLabel: (call) => [named('label', call)],
  getByPlaceholder: (call) => [named('placeholder', call)],
  getByAltText: (call) => [named('alt_text', call)],
  getByTitle: (call) => [named('title', call)],
  getByTestId: ({ args, scope }) => [{ by: 'test_id', match: readMatch(args[0], scope, true) }],
  getByRole: (call) => [role(call)],
  locator: (call) => [insideOf(call.args[0], call), ...filtersOf(call, 1)],
  frameLocator: (call) => [{ by: 'frame', selector: firstText(call) }],
  contentFrame: () => [{ by: 'content_frame' }],
  owner: () => [{ by: 'owner' }],
  filter: (call) => filtersOf(call, 0),
  visible: () => [{ by: 'visible', visible: true }],
  and: (call) => [nest('and', locatorOf(call.args[0], call))],
  or: (call) => [nest('or', locatorOf(call.args[0], call))],
  first: () => [{ by: 'nth', index: 0 }],
  last: () => [{ by: 'nth', index: -1 }],
  nth: ({ args, scope }) => [{ by: 'nth', index: readNumber(args[0], scope) }],
  // A test's own name for a locator, and Playwright's better words for the same one, narrow nothing.
  describe: () => [],
  normalize: () => [],
};

function named(by: 'text' | 'label' | 'placeholder' | 'alt_text' | 'title', call: Call): LocatorPart {
  const { exact = false } = optionsOf(call, 1, { exact: flag });
  return { by, match: readMatch(call.args[0], call.scope, exact) };
}

function filtersOf(call: Call, index: number): LocatorPart[] {
  return Object.values(optionsOf(call, index, filters)).filter((part) => part !== undefined);
}

/** Parts that `locator()` and `filter()` narrow by. */
const filters: Record<string, (node: Expression, call: Call) => LocatorPart> = {
  hasText: (node, { scope }) => ({ by: 'has_text', match: readMatch(node, scope) }),
  hasNotText: (node, { scope }) => ({ by: 'has_not_text', match: readMatch(node, scope) }),
  has: (node, call) => nest('has', locatorOf(node, call)),
  hasNot: (node, call) => nest('has_not', locatorOf(node, call)),
  visible: (node, { scope }) => ({ by: 'visible', visible: readFlag(node, scope) }),
};

const states = { checked: mixed, pressed: mixed, disabled: flag, expanded: flag, includeHidden: flag };

function role(call: Call): LocatorPart {
  const { scope } = call;
  const asItIs = (node: Expression) => node;
  const options = optionsOf(call, 1, {
    ...{ name: asItIs, description: asItIs, exact: flag, level: number, selected: flag },
    ...states,
  });
  const { name, description, exact = false, ...others } = options;
  const match = (node: Expression) => readMatch(node, scope, exact);
  const narrowed = {
    ...others,
    ...(description === undefined ? {} : { description: match(description) }),
  };
  return {
    by: 'role',
    role: firstText(call),
    name: name === undefined ? null : match(name),
    ...(Object.keys(narrowed).length === 0 ? {} : { states: narrowed }),
  };
}

function mixed(node: Expression, { scope }: Call): boolean | 'mixed' {
  const value = readValue(node, scope);
  return value.is === 'text' && value.text === 'mixed' ? 'mixed' : readFlag(node, scope);
}

/** `locator('.row')`, or `locator(other)`: what the other finds inside each of those found before. */
function insideOf(node: Node | undefined, { scope, read }: Call): LocatorPart {
  if (node === undefined) throw new Misunderstood('A selector is missing.');
  const inner = read(node);
  if (inner.is === 'locator') return nest('within_each', inner.locator);
  return { by: 'selector', selector: readText(node, scope) };
}

export function locatorOf(node: Node | undefined, { read }: Call): Locator {
  const meaning = node === undefined ? null : read(node);
  if (meaning?.is !== 'locator') throw new Misunderstood('Expected a locator.');
  return meaning.locator;
}

function nest(by: 'has' | 'has_not' | 'and' | 'or' | 'within_each', locator: Locator): LocatorPart {
  const part = locatorPartSchema.safeParse({ by, locator });
  if (!part.success) throw new Misunderstood('Locators are nested too deeply.');
  return part.data;
}
