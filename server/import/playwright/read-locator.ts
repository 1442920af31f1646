import type { Node } from '@babel/types';
import type { Locator, LocatorPart } from '../../../shared/browser-actions.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readMatch, readOptions, readText, readValue } from './read-value.ts';

const bySomething = {
  getByText: 'text',
  getByLabel: 'label',
  getByPlaceholder: 'placeholder',
  getByAltText: 'alt_text',
  getByTitle: 'title',
  getByTestId: 'test_id',
} as const;

/** What a method of a page or a locator narrows it to; null when the method is no locator. */
export function narrow(locator: Locator, method: string, args: Node[], scope: Scope): Locator | null {
  // A page is no locator: it has nothing to filter or to count through.
  if (locator.length === 0 && !/^(getBy|locator$|frameLocator$)/.test(method)) return null;
  if (method === 'contentFrame') return enterFrame(locator);
  const part = partOf(method, args, scope);
  return part === null ? null : [...locator, part];
}

function partOf(method: string, args: Node[], scope: Scope): LocatorPart | null {
  if (Object.hasOwn(bySomething, method)) {
    const exact = flagOf(readOptions(args[1]).get('exact'), scope);
    const by = bySomething[method as keyof typeof bySomething];
    return { by, match: readMatch(args[0], scope, exact || by === 'test_id') };
  }
  switch (method) {
    case 'getByRole': {
      const options = readOptions(args[1]);
      for (const name of options.keys()) {
        if (name !== 'name' && name !== 'exact')
          throw new Misunderstood(`getByRole with ${name} is not supported.`);
      }
      const name = options.get('name');
      return {
        by: 'role',
        role: readText(args[0], scope),
        name: name === undefined ? null : readMatch(name, scope, flagOf(options.get('exact'), scope)),
      };
    }
    case 'locator':
      if (args.length > 1) throw new Misunderstood('locator with options is not supported; use filter().');
      return { by: 'selector', selector: readText(args[0], scope) };
    case 'frameLocator':
      return { by: 'frame', selector: readText(args[0], scope) };
    case 'filter': {
      const options = readOptions(args[0]);
      const hasText = options.get('hasText');
      if (hasText === undefined || options.size > 1)
        throw new Misunderstood('filter() is supported with hasText only.');
      return { by: 'has_text', match: readMatch(hasText, scope) };
    }
    case 'first':
      return { by: 'nth', index: 0 };
    case 'last':
      return { by: 'nth', index: -1 };
    case 'nth': {
      const index = args[0] === undefined ? null : readNumber(args[0], scope);
      if (index === null) throw new Misunderstood('nth() needs a number.');
      return { by: 'nth', index };
    }
    default:
      return null;
  }
}

/** `page.locator('iframe').contentFrame()` is what codegen writes for `frameLocator('iframe')`. */
function enterFrame(locator: Locator): Locator {
  const last = locator.at(-1);
  if (last?.by !== 'selector') throw new Misunderstood('contentFrame() is supported after locator() only.');
  return [...locator.slice(0, -1), { by: 'frame', selector: last.selector }];
}

export function flagOf(node: Node | undefined, scope: Scope): boolean {
  if (node === undefined) return false;
  const value = readValue(node, scope);
  if (value.is !== 'flag') throw new Misunderstood('Expected true or false.');
  return value.flag;
}

/** Also of a number with a sign. */
export function readNumber(node: Node, scope: Scope): number {
  if (node.type === 'UnaryExpression' && node.operator === '-') return -readNumber(node.argument, scope);
  const value = readValue(node, scope);
  if (value.is !== 'number') throw new Misunderstood('Expected a number.');
  return value.number;
}
