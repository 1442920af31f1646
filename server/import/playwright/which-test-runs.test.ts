/** Protects files with several tests: the import is the test that Playwright would run first, with its hooks in order. */
import { expect, test } from 'vitest';
import { parsePlaywrightTest } from './parse-playwright-test.ts';

const visit = (path: string) => `async ({ page }) => { await page.goto('http://shop.example/${path}'); }`;
const hook = (kind: string, path: string) => `test.${kind}(${visit(path)});`;
const named = (path: string, kind = 'test') => `${kind}('${path}', ${visit(path)});`;
const group = (text: string, kind = 'test.describe') => `${kind}('Group', () => { ${text} });`;

function read(...lines: string[]) {
  const { actions, unsupported, notes } = parsePlaywrightTest(lines.join('\n'));
  const visited = actions.flatMap((action) =>
    action.type === 'goto' ? [new URL(action.url).pathname.slice(1)] : [],
  );
  return { visited, refused: unsupported.map(({ line, reason }) => `${line}: ${reason}`), notes };
}

const onlyFirst = 'Only the first test is imported. Import this one from a file of its own.';

test.each<[string, string[], string[], string[]]>([
  ['a hook behind its test', [named('a'), hook('beforeEach', 'each')], ['each', 'a'], []],
  [
    'a hook for all',
    [hook('beforeEach', 'each'), hook('beforeAll', 'all'), named('a')],
    ['all', 'each', 'a'],
    [],
  ],
  [
    'hooks of two groups',
    [group(hook('beforeEach', 'one') + named('a')), group(hook('beforeEach', 'two') + named('b'))],
    ['one', 'a'],
    [`2: ${onlyFirst}`],
  ],
  [
    'hooks around a group',
    [
      group(named('a') + hook('beforeEach', 'inner') + hook('beforeAll', 'once')),
      hook('beforeEach', 'outer'),
    ],
    ['once', 'outer', 'inner', 'a'],
    [],
  ],
  [
    'a group whose tests are skipped',
    [group(hook('beforeEach', 'one') + named('a', 'test.skip')), named('b')],
    ['b'],
    ['1: test.skip is not imported. Only tests that are run are.'],
  ],
  [
    'a skipped group',
    [group(`test.skip(); ${named('a')}`), named('b')],
    ['b'],
    ['1: test.skip() skips this test.'],
  ],
  [
    'a test that is marked',
    [named('a'), group(named('b') + named('c', 'test.only'))],
    ['c'],
    [
      '1: Another test is marked with test.only, so this one does not run.',
      '2: Another test is marked with test.only, so this one does not run.',
    ],
  ],
  [
    'a marked group',
    [named('a'), group(named('b'), 'test.describe.only')],
    ['b'],
    ['1: Another test is marked with test.only, so this one does not run.'],
  ],
  ['hooks without a test', [hook('beforeEach', 'each')], ['each'], []],
])('%s', (_, lines, visited, refused) => {
  expect(read(...lines)).toMatchObject({ visited, refused });
});

test('settings apply only to the tests of their own group, wherever they are written', () => {
  const { actions } = parsePlaywrightTest(
    [
      "test('a', async ({ page }) => { await page.goto('/a'); });",
      group("test.use({ baseURL: 'http://other.example' }); test('b', async () => {});"),
      "test.use({ baseURL: 'http://shop.example' });",
    ].join('\n'),
  );
  expect(actions).toMatchObject([{ type: 'goto', url: 'http://shop.example/a' }]);
});

test.each(['return;', "throw new Error('no');", 'test.skip();', 'test.fixme(true);', '{ return; }'])(
  'statements after %s are not imported',
  (end) => {
    const body = `await page.goto('http://shop.example/a');\n${end}\nawait page.goto('http://shop.example/b');`;
    const { visited, refused } = read(`test('t', async ({ page }) => {\n${body}\n});`);
    expect(visited).toEqual(['a']);
    expect(refused).toEqual(['4: The test ends before this line, so it is not imported.']);
  },
);

test.each([
  "let q = 'a'; q = 'b';",
  "let q = 'a'; if (x) { q = 'b'; }",
  "let q = 'a'; q += 'b';",
  "let q = 'a'; [q] = ['b'];",
  "let q = 'a'; ({ q } = { q: 'b' });",
  "let q = 'a'; const set = () => { q = 'b'; }; set();",
  "let q = 'a'; for (q of ['b']) { }",
  "var q = 'a'; { var q = 'b'; }",
])('a name whose value changes is not filled in: %s', (lines) => {
  const { visited, refused } = read(
    `test('t', async ({ page }) => {\n${lines}\nawait page.goto('http://s/' + q);\n});`,
  );
  expect(visited).toEqual([]);
  expect(refused.at(-1)).toBe(
    '3: The value of q changes in the test, and code is never executed. Write the value in its place.',
  );
});

test.each([
  ["1 + 2 + 'x'", '3x'],
  ["'x' + 1 + 2", 'x12'],
  ["'' || 'b'", 'b'],
  ["'a' || 'b'", 'a'],
  ["'a' && 'b'", 'b'],
])('%s is what JavaScript makes of it', (value, path) => {
  expect(read(`await page.goto('http://s/' + (${value}));`).visited).toEqual([path]);
});

test.each(["process.env.CI && 'b'", "unknown && 'b'"])('%s is refused', (value) => {
  expect(read(`await page.goto('http://s/' + (${value}));`)).toMatchObject({
    visited: [],
    refused: [expect.any(String)],
  });
});
