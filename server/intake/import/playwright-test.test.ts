/** Protects the import of Playwright tests: read line by line, and never executed. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { requestsToScenario } from './draft-request.ts';
import { parsePlaywrightTest } from './playwright-test.ts';

const codegen = `import { test, expect } from '@playwright/test';

test('test', async ({ page }) => {
  await page.goto('https://shop.example/');
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('User').fill('ada');
  await page.getByRole('textbox', { name: 'Password', exact: true }).press('Enter');
  await page.locator('#country').selectOption('DE');
  await page.getByRole('listitem').filter({ hasText: 'Lamp' }).getByRole('button').nth(1).dblclick();
  const page1Promise = page.waitForEvent('popup');
  await page.getByText('Print').click();
  const page1 = await page1Promise;
  await page1.locator('iframe[name="sheet"]').contentFrame().getByLabel('Agree').check();
  await expect(page.getByText(/thank you/i)).toBeVisible();
  await expect(page.locator('h1')).toContainText('Order');
  await expect(page).toHaveURL('https://shop.example/orders/7');
});
`;

test('What codegen writes becomes actions without a remark', () => {
  const { name, actions, unsupported } = parsePlaywrightTest(codegen);
  expect(unsupported).toEqual([]);
  expect(name).toBe('test');
  expect(actions.map(({ type, page, line }) => `${line} ${page} ${type}`)).toEqual([
    '4 0 goto',
    '5 0 click',
    '6 0 fill',
    '7 0 press',
    '8 0 select_option',
    '9 0 click',
    '11 0 click',
    '13 1 check',
    '14 0 expect_visible',
    '15 0 expect_text',
    '16 0 expect_url',
  ]);
  for (const action of actions) expect(browserActionSchema.parse(action)).toEqual(action);
  expect(actions[5]).toMatchObject({
    clicks: 2,
    locator: [
      { by: 'role', role: 'listitem', name: null },
      { by: 'has_text', match: { type: 'text', text: 'Lamp', exact: false } },
      { by: 'role', role: 'button', name: null },
      { by: 'nth', index: 1 },
    ],
  });
  expect(actions[6]).toMatchObject({ opens: 1 });
  expect(actions[7]).toMatchObject({
    locator: [{ by: 'selector', selector: 'iframe[name="sheet"]' }, { by: 'content_frame' }, { by: 'label' }],
  });
  expect(actions[8]).toMatchObject({
    locator: [{ match: { type: 'pattern', pattern: 'thank you', flags: 'i' } }],
  });
});

test('A script of codegen for the library is read as well', () => {
  const { actions, unsupported } = parsePlaywrightTest(`const { chromium } = require('playwright');

(async () => {
  const browser = await chromium.launch({ headless: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto('http://shop.example/');
  await page.click('text=Search');
  await context.close();
  await browser.close();
})();
`);
  expect(unsupported).toEqual([]);
  expect(actions.map(({ type, page }) => [type, page])).toEqual([
    ['goto', 0],
    ['click', 0],
  ]);
});

test('An everyday test: base address, constants, environment, named locators, and a request', () => {
  const { actions, requests, unsupported } =
    parsePlaywrightTest(`import { test, expect, type Page } from '@playwright/test';
const base = 'https://shop.example';
test.use({ baseURL: \`\${base}/app/\` });
test('buys', async ({ page, request }) => {
  await page.goto('login');
  const password = page.getByLabel('Password');
  await password.fill(process.env.SHOP_PASSWORD!);
  await page.locator('css=.buy').first().click({ button: 'right' });
  const response = await request.post('/api/orders', { data: { item: 7, gift: true }, headers: { 'X-A': 'b' } });
  expect(response.status()).toBe(201);
  await expect(page.getByTestId('total')).not.toBeVisible();
});
`);
  expect(unsupported).toEqual([]);
  expect(actions).toMatchObject([
    { type: 'goto', url: 'https://shop.example/app/login' },
    { type: 'fill', value: '${secret:SHOP_PASSWORD}', locator: [{ by: 'label' }] },
    { type: 'click', button: 'right' },
    { type: 'expect_hidden' },
  ]);
  expect(requests[1]).toEqual({
    line: 9,
    method: 'POST',
    url: 'https://shop.example/api/orders',
    headers: [
      ['accept', '*/*'],
      ['x-a', 'b'],
      ['content-type', 'application/json'],
    ],
    body: '{"item":7,"gift":true}',
    expectStatus: 201,
  });
});

test('Just the lines that are not understood are named, and nothing of them is executed', () => {
  const { actions, unsupported } = parsePlaywrightTest(`import { test } from '@playwright/test';
import fs from 'node:fs';
fs.writeFileSync('/tmp/evil', 'x');
test('t', async ({ page }) => {
  await page.goto('http://shop.example/');
  await page.evaluate(() => { globalThis.evil = 1; });
  while (true) await page.click('#x');
  const rows = [1, 2].map((n) => n * 2);
  await page.fill('#q', computeWord());
  await page.fill('#q', rows);
  await login(page);
  await page['go' + 'to']('http://evil.example');
  await page.constructor.constructor('return process')();
  if (true) { await page.click('#x'); }
  await page.fill('#q', \`\${await import('node:os')}\`);
  await page.click('#last');
});
test('u', async ({ page }) => {});
`);
  expect(actions.map(({ type, line }) => [type, line])).toEqual([
    ['goto', 5],
    ['click', 16],
  ]);
  expect(unsupported.map(({ line }) => line)).toEqual([2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18]);
  expect(unsupported[2]?.reason).toBe('page.evaluate runs code in the page, which is not supported.');
  expect(unsupported[3]?.reason).toBe(
    "Only loops such as for (const word of ['a', 'b']) are read, because code is never executed. Write out each round.",
  );
});

test('A broken line is named, and the lines around it stand', () => {
  const { actions, unsupported } = parsePlaywrightTest(
    codegen.replace("fill('ada');", "fill('ada';").replace('#country', "#cou'ntry"),
  );
  expect(unsupported.map(({ line }) => line)).toEqual([6, 8]);
  expect(actions).toHaveLength(9);
});

test('What is no program at all is refused', () => {
  const garbage = Array.from({ length: 60 }, (_, index) => `%% ${index} <<< )`).join('\n');
  expect(() => parsePlaywrightTest(garbage)).toThrow(ProblemError);
});

test('Brackets and chains without end are a sentence', () => {
  expect(() => parsePlaywrightTest('('.repeat(200_000))).toThrow(ProblemError);
  const chain = `test('t', async ({ page }) => {\n  await page${".locator('a')".repeat(3000)}.click();\n});`;
  expect(parsePlaywrightTest(chain).unsupported.map(({ line }) => line)).toEqual([2]);
});

test('A secret in an address stays a secret in the step', () => {
  const { requests } = parsePlaywrightTest(
    "test('t', async ({ page }) => {\n  await page.goto(`http://s/${process.env.KEY}/a?k=${process.env.KEY}`);\n});",
  );
  expect(requestsToScenario(requests, { name: 'x' }).scenario?.steps[0]?.path).toBe(
    '/${secret:KEY}/a?k=${secret:KEY}',
  );
});
