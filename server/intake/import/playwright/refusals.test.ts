/** Protects what is not read of a Playwright test: its line says what was found and what to do, and the other lines stand. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of a test
import { expect, test } from 'vitest';
import { parsePlaywrightTest } from '../playwright-test.ts';

const visit = (path: string) => `async ({ page }) => { await page.goto('http://shop.example/${path}'); }`;
const named = (path: string, kind = 'test') => `${kind}('${path}', ${visit(path)});`;

function read(...lines: string[]) {
  const { actions, unsupported } = parsePlaywrightTest(lines.join('\n'));
  const visited = actions.flatMap((action) =>
    action.type === 'goto' ? [new URL(action.url).pathname.slice(1)] : [],
  );
  return { visited, refused: unsupported.map(({ line, reason }) => `${line}: ${reason}`) };
}

const onlyFirst = 'Only the first test is imported. Import this one from a file of its own.';
const loops =
  "Only loops such as for (const word of ['a', 'b']) are read, because code is never executed. Write out each round.";
const fixtures = 'Use page, context, browser, request under their own names.';

test.each<[string, string[], string[]]>([
  [
    'a group',
    [`test.describe('g', () => { ${named('b')} });`],
    ['test.describe is not read. Paste one test.'],
  ],
  [
    'a serial group',
    [`test.describe.serial('g', () => { ${named('b')} });`],
    ['test.describe.serial is not read. Paste one test.'],
  ],
  [
    'a hook before each test',
    [`test.beforeEach(${visit('b')});`],
    ['test.beforeEach is not read. Write its lines into the test.'],
  ],
  [
    'a hook before all tests',
    [`test.beforeAll(${visit('b')});`],
    ['test.beforeAll is not read. Write its lines into the test.'],
  ],
  ['a hook after it', [`test.afterEach(${visit('b')});`], ['test.afterEach is not read. Leave it out.']],
  ['a marked test', [named('b', 'test.only')], ['test.only is not read. Paste one test.']],
  ['a skipped test', [named('b', 'test.skip')], ['test.skip is not read. Paste one test.']],
  ['a test of another runner', [named('b', 'it')], ['it is not read. Paste one test.']],
  [
    'fixtures',
    [`const shop = test.extend({ a: async ({ page }, use) => { await use(page); } });`],
    ['test.extend is not read. Write the lines of its fixtures into the test.'],
  ],
  [
    'a setting that objects have by nature',
    ['test.use({ constructor: 1 });'],
    ['The setting constructor is not supported. Leave it out.'],
  ],
  ['a configuration', ['export default { use: {} };'], ['This kind of statement is not read. Leave it out.']],
  [
    'another name',
    [`import { test as base } from '@playwright/test';`],
    ['test under the name base is not read. Import it as test.'],
  ],
  [
    'another file',
    [`import { login } from './login';`],
    ['The import of ./login is not read. Write what it does into the test.'],
  ],
  [
    'tests made in a loop',
    [`for (const word of ['b', 'c']) { test(word, ${visit('b')}); }`],
    ['A loop that makes tests is not read. Paste one test.'],
  ],
])('%s beside a test is refused by its name', (_, lines, reasons) => {
  expect(read(...lines, named('a'))).toEqual({
    visited: ['a'],
    refused: reasons.map((reason) => `1: ${reason}`),
  });
});

test.each<[string, string]>([
  [
    `await test.step('s', async () => { await page.goto('http://s/b'); });`,
    'test.step is not read. Write its lines into the test.',
  ],
  ['for (let i = 0; i < 3; i++) { }', loops],
  ['for (const q of words()) { }', loops],
  ['for (const q of page) { }', loops],
  ["for (const [a, b] of ['c']) { }", loops],
  ["for await (const q of ['c']) { }", loops],
  ["while (true) { await page.goto('http://s/b'); }", loops],
  ['test.slow();', 'test.slow is not read. Leave it out.'],
  ['test.skip();', 'test.skip is not read. Paste one test.'],
  ['return;', 'return is not read. Leave out what comes after it, too.'],
  [`throw new Error('no');`, 'throw is not read. Leave out what comes after it, too.'],
  [
    `await expect(async () => { await page.goto('http://s/b'); }).toPass();`,
    'Computed values are not supported, because code is never executed. Write the value in its place.',
  ],
  [`await expect.poll(() => 1).toBe(1);`, 'expect.poll is not checked, because code is never executed.'],
  [
    `let q = 'a';`,
    'What is declared with let may change, and code is never executed. Declare it with const.',
  ],
  [
    `var q = 'a';`,
    'What is declared with var may change, and code is never executed. Declare it with const.',
  ],
])('in a test, %s is refused by its name', (line, reason) => {
  const body = `await page.goto('http://s/a');\n${line}`;
  expect(read(`test('t', async ({ page }) => {\n${body}\n});`)).toEqual({
    visited: ['a'],
    refused: [`3: ${reason}`],
  });
});

test('a loop over a list that is written out does its lines once for each value', () => {
  const lines = [
    "const words = ['a', 'b'];",
    "test('t', async ({ page }) => {",
    'for (const word of words) {',
    "  for (const n of [1, 2]) await page.goto('http://s/' + word + n);",
    '  await page.pause(word)();',
    '}',
    '});',
  ];
  expect(read(...lines)).toEqual({
    visited: ['a1', 'a2', 'b1', 'b2'],
    refused: ['5: Function calls are not supported, because code is never executed.'],
  });
});

test('loops that come to more than a test could have are given up', () => {
  const loop = (name: string) => `for (const ${name} of ['1','2','3','4','5','6','7','8','9','0'])`;
  const { refused } = read(
    `test('t', async ({ page }) => { ${loop('a')} ${loop('b')} ${loop('c')} ${loop('d')} await page.reload(); });`,
  );
  expect(refused).toEqual(['1: The rounds of the loops come to more than 100,000 characters. Write fewer.']);
});

test('of several tests the first is imported, and the others are named', () => {
  expect(read(named('a'), named('b'), named('c'))).toEqual({
    visited: ['a'],
    refused: [`2: ${onlyFirst}`, `3: ${onlyFirst}`],
  });
});

test('a fixture of its own, or under another name, is named, and so are the lines that use it', () => {
  const lines = `test('t', async ({ page: p, shop }) => {\nawait p.goto('http://s/a');\nawait shop.buy();\n});`;
  expect(read(lines)).toEqual({
    visited: [],
    refused: [
      `1: The fixture page is not read. ${fixtures}`,
      `1: The fixture shop is not read. ${fixtures}`,
      '2: p is unknown.',
      '3: shop is unknown.',
    ],
  });
});

test('settings and constants count wherever they are written', () => {
  const { actions } = parsePlaywrightTest(
    [
      "test('a', async ({ page }) => { await page.goto('/' + q); });",
      "test.use({ baseURL: 'http://shop.example' });",
      "const q = 'a';",
    ].join('\n'),
  );
  expect(actions).toMatchObject([{ type: 'goto', url: 'http://shop.example/a' }]);
});

test.each([
  ["'x' + 1", 'x1'],
  ["'x' + 1 + 2", 'x12'],
  ["`${'b'}/c`", 'b/c'],
  ["process.env.CI ?? 'b'", '$%7Bsecret:CI%7D'],
])('%s is what JavaScript makes of it', (value, path) => {
  expect(read(`await page.goto('http://s/' + (${value}));`).visited).toEqual([path]);
});

test.each([
  '1 + 2',
  'process.env[q]',
  "'a' || 'b'",
  "process.env.CI && 'b'",
  "unknown && 'b'",
  "true ? 'a' : 'b'",
])('%s is computed, and refused', (value) => {
  expect(read(`await page.goto('http://s/' + (${value}));`)).toEqual({
    visited: [],
    refused: [
      '1: Computed values are not supported, because code is never executed. Write the value in its place.',
    ],
  });
});
