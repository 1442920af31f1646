/** Protects tests of the installed Playwright: every member and option is done, listed or refused by its name. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from '@babel/parser';
import { expect, test } from 'vitest';
import { parsePlaywrightTest } from '../parse-playwright-test.ts';
import { type KnownApi, knownVersion, standingOf } from './known-api.ts';
import { frameLocatorApi, locatorApi, locatorAssertions, pageAssertions } from './locator-api.ts';
import { browserApi, contextApi, keyboardApi, mouseApi, pageApi } from './page-api.ts';
import { settingsApi } from './settings-api.ts';

const require = createRequire(import.meta.url);
const library = membersIn(
  require.resolve('playwright-core/package.json').replace('package.json', 'types/types.d.ts'),
);
const runner = membersIn(
  require
    .resolve('playwright/package.json', { paths: [require.resolve('@playwright/test/package.json')] })
    .replace('package.json', 'types/test.d.ts'),
);

/** The interfaces of a file of types: members, and the names of the options that each takes. */
function membersIn(path: string): Map<string, Map<string, Set<string>>> {
  const plugins = [['typescript', { dts: true }]] as [['typescript', { dts: boolean }]];
  const { program } = parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins });
  const found = new Map<string, Map<string, Set<string>>>();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'TSInterfaceDeclaration') continue;
    const members = new Map<string, Set<string>>();
    for (const member of declaration.body.body) {
      if (!('key' in member) || member.key.type !== 'Identifier') continue;
      const parameters = 'parameters' in member ? member.parameters : 'params' in member ? member.params : [];
      const options = (parameters as { typeAnnotation?: unknown }[]).flatMap(optionNames);
      const before = members.get(member.key.name) ?? [];
      members.set(member.key.name, new Set([...before, ...options]));
    }
    found.set(declaration.id.name, members);
  }
  return found;
}

type Annotated = {
  typeAnnotation?: { typeAnnotation?: { type: string; members?: { key?: { name?: string } }[] } };
};

function optionNames(parameter: object): string[] {
  const type = (parameter as Annotated).typeAnnotation?.typeAnnotation;
  if (type?.type !== 'TSTypeLiteral') return [];
  return (type.members ?? []).flatMap(({ key }) => (key?.name === undefined ? [] : [key.name]));
}

function memberNames(types: typeof library, ...interfaces: string[]): string[] {
  return interfaces.flatMap((name) => [...(types.get(name) ?? new Map()).keys()]).sort();
}

function namesOf({ done, withoutEffect, refused }: KnownApi): string[] {
  return [...done, ...withoutEffect, ...refused.flatMap(([, members]) => members)].sort();
}

test('the version is the one that is installed', () => {
  expect(require('playwright-core/package.json').version).toBe(knownVersion);
});

test.each<[KnownApi, string[]]>([
  [pageApi, memberNames(library, 'Page')],
  [locatorApi, memberNames(library, 'Locator')],
  [frameLocatorApi, memberNames(library, 'FrameLocator')],
  [keyboardApi, memberNames(library, 'Keyboard')],
  [mouseApi, memberNames(library, 'Mouse')],
  [contextApi, memberNames(library, 'BrowserContext')],
  [browserApi, memberNames(library, 'Browser')],
  [locatorAssertions, memberNames(runner, 'LocatorAssertions')],
  [pageAssertions, memberNames(runner, 'PageAssertions')],
])('every member of $name is known, and none that is not', (api, members) => {
  expect(members.length).toBeGreaterThan(2);
  expect(namesOf(api)).toEqual(members);
});

test('every setting is known, and none that is not', () => {
  const settings = [
    ...memberNames(library, 'BrowserContextOptions'),
    ...settingsIn('PlaywrightTestOptions'),
    ...settingsIn('PlaywrightWorkerOptions'),
  ];
  expect(namesOf(settingsApi)).toEqual([...new Set(settings)].sort());
});

/** They are types, not interfaces. */
function settingsIn(name: string): string[] {
  const path = require
    .resolve('playwright/package.json', { paths: [require.resolve('@playwright/test/package.json')] })
    .replace('package.json', 'types/test.d.ts');
  const source = readFileSync(path, 'utf8');
  const begin = source.indexOf(`export interface ${name} {`);
  expect(begin).toBeGreaterThan(0);
  return [...source.slice(begin, source.indexOf('\n}', begin)).matchAll(/^ {2}(\w+)\??:/gm)].map(
    ([, found = '']) => found,
  );
}

/** A statement is never dropped: it does something, stands in a note, or is refused. */
function standing(statement: string): 'done' | 'listed' | { refused: string } | 'dropped' {
  const { actions, unsupported, notes, requests } = parsePlaywrightTest(
    `test('t', async ({ page, context, browser }) => {\n  ${statement}\n});`,
  );
  const [first] = unsupported;
  if (first !== undefined) return { refused: first.reason };
  if (notes.length > 0) return 'listed';
  return actions.length + requests.length > 0 ? 'done' : 'dropped';
}

const owners: [string, KnownApi][] = [
  ['page', pageApi],
  [`page.locator('a')`, locatorApi],
  ['context', contextApi],
  ['browser', browserApi],
];

test.each(
  owners.flatMap(([owner, api]) =>
    [...api.withoutEffect, ...api.refused.flatMap(([, members]) => members)].map(
      (member) => [owner, member, api] as const,
    ),
  ),
)('%s.%s is listed, or refused by its name', (owner, member, api) => {
  const found = standing(`await ${owner}.${member}(/x/);`);
  const expected = standingOf(api, member);
  if (expected === 'without effect') expect(found).toBe('listed');
  else expect(found).toEqual({ refused: expect.stringContaining(`${api.name}.${member} `) });
});

/** What stands before the options of a method that takes some. */
const before: Record<string, string> = {
  ...{ fill: `'x'`, press: `'Enter'`, pressSequentially: `'x'`, type: `'x'`, selectOption: `'x'` },
  ...{ setChecked: 'true', dragTo: `page.locator('b')` },
};
const values: Record<string, string> = {
  ...{
    button: `'left'`,
    clickCount: '1',
    delay: '5',
    modifiers: `['Shift']`,
    state: `'attached'`,
    scroll: `'none'`,
  },
  ...{ position: '{ x: 1, y: 2 }', sourcePosition: '{ x: 1, y: 2 }', targetPosition: '{ x: 1, y: 2 }' },
  ...{ timeout: '1', steps: '2', signal: 'undefined' },
};
const withOptions = locatorApi.done.flatMap((method) =>
  method.startsWith('getBy') || ['filter', 'locator', 'dispatchEvent'].includes(method)
    ? []
    : [...(library.get('Locator')?.get(method) ?? [])].map((option) => [method, option] as const),
);

test.each(withOptions)('locator.%s with %s is done, listed, or refused by its name', (method, option) => {
  const argument = `{ ${option}: ${values[option] ?? 'true'} }`;
  const args = [...(method in before ? [before[method]] : []), argument].join(', ');
  const found = standing(`await page.locator('a').${method}(${args});`);
  expect(found).not.toBe('dropped');
  if (typeof found === 'object') expect(found.refused).toContain(option);
  const without = standing(`await page.locator('a').${method}(${before[method] ?? ''});`);
  expect(without === 'done' || method === 'tap').toBe(true);
});

test.each([...new Set(memberNames(library, 'BrowserContextOptions'))])(
  'the setting %s is done, listed, or refused by its name',
  (setting) => {
    const given = {
      baseURL: `'http://s'`,
      viewport: '{ width: 9, height: 9 }',
      extraHTTPHeaders: `{ a: 'b' }`,
    };
    const media = {
      colorScheme: `'dark'`,
      contrast: `'more'`,
      forcedColors: `'none'`,
      reducedMotion: `'reduce'`,
    };
    const value = { ...given, ...media }[setting] ?? 'true';
    const found = standing(`await browser.newContext({ ${setting}: ${value} }); await page.goto('/');`);
    const expected = standingOf(settingsApi, setting);
    if (expected === 'done') expect(found).toBe('done');
    else if (expected === 'without effect') expect(found).toBe('listed');
    else expect(found).toEqual({ refused: expect.stringMatching(`^${setting} `) });
  },
);
