/** Protects tests of the installed Playwright: every member and option is done, listed, or refused by its name. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from '@babel/parser';
import { expect, test } from 'vitest';
import { elementActions, pageActions } from './playwright-actions.ts';
import { keyboardActions, mouseActions } from './playwright-calls.ts';
import { quietMembers, quietSettings } from './playwright-options.ts';
import { parsePlaywrightTest } from './playwright-test.ts';

const require = createRequire(import.meta.url);
const library = membersIn(
  require.resolve('playwright-core/package.json').replace('package.json', 'types/types.d.ts'),
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

test.each<[string, string[], object]>([
  ['Page', memberNames(library, 'Page'), pageActions],
  ['Locator', memberNames(library, 'Locator'), elementActions],
  ['Keyboard', memberNames(library, 'Keyboard'), keyboardActions],
  ['Mouse', memberNames(library, 'Mouse'), mouseActions],
  [
    'of any',
    memberNames(library, 'Page', 'Locator', 'BrowserContext', 'Browser'),
    Object.fromEntries([...quietMembers].map((name) => [name, null])),
  ],
])('no action of %s is one that Playwright has not', (_, members, actions) => {
  expect(members.length).toBeGreaterThan(2);
  expect(Object.keys(actions).filter((name) => !members.includes(name))).toEqual([]);
});

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

/** Owners of members: their name, an expression for one, and their type in Playwright. */
const owners: [string, string, string][] = [
  ['page', 'page', 'Page'],
  ['locator', `page.locator('a')`, 'Locator'],
  ['context', 'context', 'BrowserContext'],
  ['browser', 'browser', 'Browser'],
];
const isMade = /^(?:getBy|locator$|frameLocator$|filter$|first$|last$|describe$|normalize$|visible$|owner$)/;
/** They are made, opened, or closed, and send nothing on their own. */
const silent = ['and', 'close', 'contentFrame', 'context', 'newContext', 'newPage', 'nth', 'or', 'within'];

test.each(
  owners.flatMap(([name, owner, type]) =>
    memberNames(library, type)
      .filter((member) => !isMade.test(member) && !silent.includes(member))
      .map((member) => [name, member, owner] as const),
  ),
)('%s.%s is done, listed, or refused by its name', (name, member, owner) => {
  const found = standing(`await ${owner}.${member}(/x/);`);
  expect(found).not.toBe('dropped');
  if (quietMembers.has(member)) expect(found).toBe('listed');
  const problem = typeof found === 'object' ? found.refused : '';
  const isAction = Object.hasOwn({ locator: elementActions, page: pageActions }[name] ?? {}, member);
  if (!isAction && problem !== '' && !/^(?:on|once|waitForEvent|setExtraHTTPHeaders)$/.test(member))
    expect(problem).toMatch(new RegExp(`^${name}\\.${member.replaceAll('$', '\\$')} `));
});

/** Arguments before the options, for methods that take some. */
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
const withOptions = Object.keys(elementActions).flatMap((method) =>
  method === 'dispatchEvent'
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
    };
    const value = { ...given, colorScheme: `'dark'` }[setting] ?? 'true';
    const found = standing(`await browser.newContext({ ${setting}: ${value} }); await page.goto('/');`);
    if (setting in given || setting === 'colorScheme') expect(found).toBe('done');
    else if (quietSettings.has(setting)) expect(found).toBe('listed');
    else
      expect(found).toEqual({ refused: expect.stringMatching(`^The setting ${setting} is not supported`) });
  },
);
