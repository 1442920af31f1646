import type { Expression, Node } from '@babel/types';
import {
  type Locator,
  type LocatorPart,
  locatorPartSchema,
  type RoleStates,
} from '../../../shared/locator.ts';
import type { Call } from './call.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { flagOf, optionsOf, readNumber } from './read-options.ts';
import { readMatch, readText, readValue } from './read-value.ts';

const bySomething = {
  getByText: 'text',
  getByLabel: 'label',
  getByPlaceholder: 'placeholder',
  getByAltText: 'alt_text',
  getByTitle: 'title',
} as const;

/** Reads an argument that may be a locator itself. */
export type ReadMeaning = (node: Node) => Meaning;

/** What a method of a page or a locator narrows it to; null when the method is no locator. */
export function narrow(locator: Locator, call: Call, read: ReadMeaning): Locator | null {
  const { method, args } = call;
  // A page is no locator: it has nothing to filter or to count through.
  if (locator.length === 0 && !/^(getBy|locator$|frameLocator$)/.test(method)) return null;
  // What a test calls it, and Playwright's better words for the same.
  if (method === 'describe' || method === 'normalize') return locator;
  if (method === 'within') return [...locatorOf(args[0], read), nest('within_each', locator)];
  const parts = partsOf(call, read);
  return parts === null ? null : [...locator, ...parts];
}

function partsOf(call: Call, read: ReadMeaning): LocatorPart[] | null {
  const { method, args, scope } = call;
  if (Object.hasOwn(bySomething, method)) {
    const exact = flagOf(optionsOf(call, args[1], ['exact']).get('exact'), scope);
    return [{ by: bySomething[method as keyof typeof bySomething], match: readMatch(args[0], scope, exact) }];
  }
  switch (method) {
    case 'getByTestId':
      return [testId(call)];
    case 'getByRole':
      return [role(call)];
    case 'locator': {
      const filters = filtersOf(call, args[1], read, ['has', 'hasNot', 'hasText', 'hasNotText']);
      return [...insideOf(args[0], scope, read), ...filters];
    }
    case 'frameLocator':
      return [{ by: 'frame', selector: readText(args[0], scope) }];
    case 'contentFrame':
      return [{ by: 'content_frame' }];
    case 'owner':
      return [{ by: 'owner' }];
    case 'filter':
      return filtersOf(call, args[0], read, ['has', 'hasNot', 'hasText', 'hasNotText', 'visible']);
    case 'visible':
      return [{ by: 'visible', visible: true }];
    case 'and':
    case 'or':
      return [nest(method, locatorOf(args[0], read))];
    case 'first':
      return [{ by: 'nth', index: 0 }];
    case 'last':
      return [{ by: 'nth', index: -1 }];
    case 'nth':
      return [{ by: 'nth', index: readNumber(args[0], scope) }];
    default:
      return null;
  }
}

function testId({ args, scope, reading }: Call): LocatorPart {
  const match = readMatch(args[0], scope, true);
  const attribute = reading.draft.testIdAttribute;
  if (attribute === null) return { by: 'test_id', match };
  if (match.type === 'pattern')
    throw new Misunderstood('getByTestId with a pattern is not supported beside testIdAttribute.');
  return { by: 'selector', selector: `[${attribute}=${JSON.stringify(match.text)}]` };
}

const flags = ['checked', 'disabled', 'expanded', 'includeHidden', 'pressed', 'selected'] as const;

function role(call: Call): LocatorPart {
  const { args, scope } = call;
  const options = optionsOf(call, args[1], ['name', 'description', 'exact', 'level', ...flags]);
  const exact = flagOf(options.get('exact'), scope);
  const match = (node: Expression | undefined) => (node === undefined ? null : readMatch(node, scope, exact));
  const description = match(options.get('description'));
  const level = options.get('level');
  const states: RoleStates = {
    ...Object.fromEntries(flags.flatMap((flag) => stateOf(flag, options.get(flag), scope))),
    ...(level === undefined ? {} : { level: readNumber(level, scope) }),
    ...(description === null ? {} : { description }),
  };
  return {
    by: 'role',
    role: readText(args[0], scope),
    name: match(options.get('name')),
    ...(Object.keys(states).length === 0 ? {} : { states }),
  };
}

function stateOf(flag: string, node: Expression | undefined, scope: Scope): [string, boolean | 'mixed'][] {
  if (node === undefined) return [];
  const value = readValue(node, scope);
  return [[flag, value.is === 'text' && value.text === 'mixed' ? 'mixed' : flagOf(node, scope)]];
}

/** `locator('.row')`, or `locator(other)`: what the other finds inside each of those found before. */
function insideOf(node: Node | undefined, scope: Scope, read: ReadMeaning): LocatorPart[] {
  if (node === undefined) throw new Misunderstood('A selector is missing.');
  const inner = read(node);
  if (inner.is === 'locator') return [nest('within_each', inner.locator)];
  return [{ by: 'selector', selector: readText(node, scope) }];
}

function filtersOf(
  call: Call,
  node: Node | undefined,
  read: ReadMeaning,
  known: readonly string[],
): LocatorPart[] {
  const { scope } = call;
  return [...optionsOf(call, node, known)].flatMap(([name, value]): LocatorPart[] => {
    switch (name) {
      case 'hasText':
        return [{ by: 'has_text', match: readMatch(value, scope) }];
      case 'hasNotText':
        return [{ by: 'has_not_text', match: readMatch(value, scope) }];
      case 'has':
        return [nest('has', locatorOf(value, read))];
      case 'hasNot':
        return [nest('has_not', locatorOf(value, read))];
      case 'visible':
        return [{ by: 'visible', visible: flagOf(value, scope) }];
      default:
        return [];
    }
  });
}

export function locatorOf(node: Node | undefined, read: ReadMeaning): Locator {
  const meaning = node === undefined ? null : read(node);
  if (meaning?.is !== 'locator') throw new Misunderstood('Expected a locator.');
  return meaning.locator;
}

function nest(by: 'has' | 'has_not' | 'and' | 'or' | 'within_each', locator: Locator): LocatorPart {
  const part = locatorPartSchema.safeParse({ by, locator });
  if (!part.success) throw new Misunderstood('Locators are nested too deeply.');
  return part.data;
}
