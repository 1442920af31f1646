import type { Expression, Node } from '@babel/types';
import { type Locator, type LocatorPart, locatorPartSchema } from '../../../../shared/scenario/locator.ts';
import { Misunderstood } from './meaning.ts';
import { firstText, flag, number, optionsOf, readFlag } from './read-options.ts';
import { readMatch, readNumber, readText, readValue } from './read-value.ts';
import type { Call } from './test-draft.ts';

/** What a method of a page or a locator narrows it to; null when the method is no locator. */
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
  // What a test calls it, and Playwright's better words for the same.
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

/** What `locator()` and `filter()` narrow by. */
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
