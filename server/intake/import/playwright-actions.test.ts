/** Protects what current Playwright tests say: locators, actions and assertions mean here what they mean there. */
import { describe, expect, test } from 'vitest';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { parsePlaywrightTest } from './playwright-test.ts';

function actionsOf(...lines: string[]) {
  const read = parsePlaywrightTest(`test('t', async ({ page, context }) => {\n${lines.join('\n')}\n});`);
  expect(read.unsupported).toEqual([]);
  for (const action of read.actions) expect(browserActionSchema.parse(action)).toEqual(action);
  return read.actions.map(({ line: _line, page: _page, ...action }) => action);
}

const text = (words: string) => ({ type: 'text', text: words, exact: false });
const selector = (css: string) => ({ by: 'selector', selector: css });
const row = { by: 'role', role: 'row', name: null };

test.each([
  [
    `locator('li', { hasText: 'A', hasNotText: 'B' })`,
    [selector('li'), { by: 'has_text', match: text('A') }, { by: 'has_not_text', match: text('B') }],
  ],
  [
    `getByRole('row').filter({ has: page.locator('b'), hasNot: page.getByText('x') })`,
    [
      row,
      { by: 'has', locator: [selector('b')] },
      { by: 'has_not', locator: [{ by: 'text', match: text('x') }] },
    ],
  ],
  [
    `getByRole('row').and(page.locator('.on')).or(page.locator('p'))`,
    [row, { by: 'and', locator: [selector('.on')] }, { by: 'or', locator: [selector('p')] }],
  ],
  [
    `locator('a').locator(page.locator('b').nth(2))`,
    [selector('a'), { by: 'within_each', locator: [selector('b'), { by: 'nth', index: 2 }] }],
  ],
  [
    `locator('b').first().within(page.getByRole('row'))`,
    [row, { by: 'within_each', locator: [selector('b'), { by: 'nth', index: 0 }] }],
  ],
  [
    `locator('a').visible().last().describe('It')`,
    [selector('a'), { by: 'visible', visible: true }, { by: 'nth', index: -1 }],
  ],
  [`locator('a').filter({ visible: false })`, [selector('a'), { by: 'visible', visible: false }]],
  [
    `getByRole('checkbox', { name: 'Keep', checked: true, level: 2, pressed: 'mixed' })`,
    [
      {
        by: 'role',
        role: 'checkbox',
        name: text('Keep'),
        states: { checked: true, pressed: 'mixed', level: 2 },
      },
    ],
  ],
  [`frameLocator('#f').owner()`, [{ by: 'frame', selector: '#f' }, { by: 'owner' }]],
  [
    `getByText('in').contentFrame().locator('b')`,
    [{ by: 'text', match: text('in') }, { by: 'content_frame' }, selector('b')],
  ],
])('the locator %s', (written, locator) => {
  expect(actionsOf(`await page.${written}.hover();`)).toEqual([{ type: 'hover', locator }]);
});

const a = [selector('a')];
test.each<[string, object]>([
  [
    `page.locator('a').click({ modifiers: ['Shift', 'ControlOrMeta'], position: { x: 3, y: -4 }, force: true, delay: 80 })`,
    {
      type: 'click',
      locator: a,
      button: 'left',
      clicks: 1,
      opens: null,
      modifiers: ['Shift', 'ControlOrMeta'],
      position: { x: 3, y: -4 },
      force: true,
      holdMs: 80,
    },
  ],
  [
    `page.locator('a').dblclick({ button: 'middle' })`,
    { type: 'click', locator: a, button: 'middle', clicks: 2, opens: null },
  ],
  [
    `page.click('a')`,
    { type: 'click', locator: [...a, { by: 'nth', index: 0 }], button: 'left', clicks: 1, opens: null },
  ],
  [
    `page.click('a', { strict: true })`,
    { type: 'click', locator: a, button: 'left', clicks: 1, opens: null },
  ],
  [
    `page.locator('a').selectOption([{ label: 'L' }, { index: 2 }, 'x'])`,
    { type: 'select_option', locator: a, options: [{ label: 'L' }, { index: 2 }, 'x'] },
  ],
  [`page.locator('a').selectOption(null)`, { type: 'select_option', locator: a, options: [] }],
  [
    `page.locator('a').dragTo(page.locator('b'), { targetPosition: { x: 1, y: 2 } })`,
    { type: 'drag', locator: a, target: [selector('b')], to: { x: 1, y: 2 } },
  ],
  [
    `page.dragAndDrop('a', 'b')`,
    {
      type: 'drag',
      locator: [...a, { by: 'nth', index: 0 }],
      target: [selector('b'), { by: 'nth', index: 0 }],
    },
  ],
  [`page.locator('a').dispatchEvent('click')`, { type: 'dispatch_event', locator: a, event: 'click' }],
  [`page.locator('a').blur()`, { type: 'blur', locator: a }],
  [`page.locator('a').selectText()`, { type: 'select_text', locator: a }],
  [`page.keyboard.down('Shift')`, { type: 'key_down', key: 'Shift' }],
  [`page.keyboard.up('Shift')`, { type: 'key_up', key: 'Shift' }],
  [`page.keyboard.type('ab')`, { type: 'type_keys', value: 'ab' }],
  [`page.keyboard.insertText('ab')`, { type: 'insert_text', value: 'ab' }],
  [`page.keyboard.press('Control+A')`, { type: 'press', locator: null, key: 'Control+A' }],
  [`page.mouse.wheel(0, -300)`, { type: 'wheel', deltaX: 0, deltaY: -300 }],
  [
    `page.mouse.click(5, 6, { button: 'right' })`,
    { type: 'mouse_click', x: 5, y: 6, button: 'right', clicks: 1 },
  ],
  [`page.mouse.move(5, 6)`, { type: 'mouse_move', x: 5, y: 6 }],
  [`page.mouse.down()`, { type: 'mouse_down', button: 'left', clicks: 1 }],
  [`page.setExtraHTTPHeaders({ 'X-A': 'b' })`, { type: 'extra_headers', headers: [['x-a', 'b']] }],
  [`page.emulateMedia({ colorScheme: 'dark', media: null })`, { type: 'emulate_media', colorScheme: 'dark' }],
  [
    `page.goto('http://s/', { referer: 'http://r/' })`,
    { type: 'goto', url: 'http://s/', referer: 'http://r/' },
  ],
  [
    `page.waitForURL('**/cart')`,
    { type: 'expect_url', match: { type: 'pattern', pattern: '^(?:.*/)cart$', flags: '' } },
  ],
  [
    `page.waitForURL('http://s/{a,b}/*?q')`,
    { type: 'expect_url', match: { type: 'pattern', pattern: '^http://s/(?:a|b)/[^/]*\\?q$', flags: '' } },
  ],
  [
    `page.waitForSelector('a', { state: 'detached' })`,
    { type: 'expect_state', state: 'attached', negated: true, locator: [...a, { by: 'nth', index: 0 }] },
  ],
  [
    `expect(page.locator('a')).not.toHaveText('x')`,
    { type: 'expect_text', locator: a, match: { ...text('x'), exact: true }, contains: false, negated: true },
  ],
  [
    `expect.soft(page.locator('a')).toBeEnabled({ enabled: false })`,
    { type: 'expect_state', locator: a, state: 'enabled', negated: true },
  ],
  [`expect(page.locator('a'), 'It').not.toBeHidden()`, { type: 'expect_visible', locator: a }],
  [`expect(page.locator('a')).toBeVisible({ visible: false })`, { type: 'expect_hidden', locator: a }],
  [
    `expect(page.locator('a')).toHaveAttribute('href', /x/i)`,
    {
      type: 'expect_attribute',
      locator: a,
      name: 'href',
      match: { type: 'pattern', pattern: 'x', flags: 'i' },
    },
  ],
  [
    `expect(page.locator('a')).toHaveAttribute('disabled')`,
    { type: 'expect_attribute', locator: a, name: 'disabled', match: null },
  ],
  [
    `expect(page).not.toHaveURL(/x/)`,
    { type: 'expect_url', match: { type: 'pattern', pattern: 'x', flags: '' }, negated: true },
  ],
])('%s', (written, action) => {
  expect(actionsOf(`await ${written};`)).toEqual([action]);
});

test('the dialogs that codegen writes are answered', () => {
  expect(
    actionsOf(
      `page.once('dialog', dialog => { console.log(\`\${dialog.message()}\`); dialog.dismiss().catch(() => {}); });`,
      `page.on('dialog', async (dialog) => { await dialog.accept('Ada'); });`,
    ),
  ).toEqual([
    { type: 'answer_dialog', accept: false, text: null, every: false },
    { type: 'answer_dialog', accept: true, text: 'Ada', every: true },
  ]);
});

test('waits that begin before a click end behind it', () => {
  const actions = actionsOf(
    `const loaded = page.waitForURL('http://s/1');`,
    `const [popup] = await Promise.all([page.waitForEvent('popup'), page.waitForSelector('b'), page.locator('a').click()]);`,
    'await loaded;',
    `await popup.getByText('x').click();`,
    `const [next] = await Promise.all([context.waitForEvent('page'), page.locator('c').click()]);`,
    'await next.close();',
  );
  expect(actions.map(({ type }) => type)).toEqual([
    ...['click', 'expect_visible', 'expect_url', 'click', 'click', 'close_page'],
  ]);
  expect(actions[0]).toMatchObject({ opens: 1 });
  expect(actions[4]).toMatchObject({ opens: 2 });
});

test('settings that codegen writes are done, listed, or refused on their own lines', () => {
  const { actions, requests, unsupported, notes } = parsePlaywrightTest(`
test.use({
  ...devices['iPhone 13'],
  baseURL: 'https://shop.example/app/',
  viewport: { width: 800, height: 600 },
  colorScheme: 'dark',
  locale: 'de-DE',
  ignoreHTTPSErrors: true,
  extraHTTPHeaders: { 'X-Team': 'blue' },
  storageState: 'auth.json',
});
test('buys', async ({ page, request }) => {
  await page.setExtraHTTPHeaders({ 'X-Team': 'blue' });
  await page.goto('login');
  await request.post('api', { data: 'plain' });
  await page.screenshot();
});`);
  expect(actions.map(({ line, type }) => `${line} ${type}`)).toEqual([
    ...['5 viewport', '6 emulate_media', '13 extra_headers', '14 goto'],
  ]);
  expect(requests.map(({ url, headers }) => [url, headers])).toEqual([
    [
      'https://shop.example/app/login',
      [
        ['accept', 'text/html'],
        ['accept-encoding', 'gzip, deflate, br, zstd'],
        ['x-team', 'blue'],
      ],
    ],
    [
      'https://shop.example/app/api',
      [
        ['accept', '*/*'],
        ['x-team', 'blue'],
        ['content-type', 'application/octet-stream'],
      ],
    ],
  ]);
  expect(unsupported).toEqual([
    { line: 3, reason: 'A device or other settings from elsewhere are not known. Write them out.' },
    { line: 7, reason: 'The setting locale is not supported. Leave it out.' },
    {
      line: 9,
      reason: 'The setting extraHTTPHeaders is not supported. Use page.setExtraHTTPHeaders() instead.',
    },
    {
      line: 10,
      reason: 'The setting storageState is not supported. Sign in with steps of the test instead.',
    },
  ]);
  expect(notes).toEqual([
    'Left out, because it sends nothing: ignoreHTTPSErrors (line 8), page.screenshot (line 16).',
  ]);
});

describe('what does not send what it says is refused by its name', () => {
  test.each([
    [`await page.locator('a').setInputFiles('x.png');`, 'locator.setInputFiles uses a file'],
    [`await page.route('**/*', (route) => route.abort());`, 'Functions'],
    [`await page.locator('a').click({ trial: true });`, 'click with trial does nothing'],
    [`await expect(page.locator('a')).toMatchAriaSnapshot('- list');`, 'toMatchAriaSnapshot is not checked'],
    [`await page.touchscreen.tap(1, 2);`, 'page.touchscreen is not supported. Leave it out.'],
    [`await page.clock.install();`, 'page.clock is not supported. Leave it out.'],
    [`await page.localStorage.clear();`, 'page.localStorage changes what the browser keeps.'],
    [`page.on('request', (request) => {});`, 'page.on of request runs code'],
    [`page.once('dialog', (dialog) => { steal(dialog); });`, 'may accept or dismiss it'],
    [`const title = await page.title(); await page.getByText(title).click();`, 'known only in the browser'],
    [
      `const n = page.locator('a').count(); await page.locator('b').nth(n).click();`,
      'known only in the browser',
    ],
  ])('%s', (statement, reason) => {
    const { unsupported, actions } = parsePlaywrightTest(
      `test('t', async ({ page }) => {\n${statement}\n});`,
    );
    expect(unsupported).toHaveLength(1);
    if (reason !== 'Functions') expect(unsupported[0]?.reason).toContain(reason);
    expect(actions).toEqual([]);
  });
});

test.each([
  [
    'Python',
    `from playwright.sync_api import Playwright\ndef run(p):\n    page.goto("https://shop.example/a")\n    page.get_by_role("link").click()`,
  ],
  ['Java', `import com.microsoft.playwright.*;\npage.navigate("https://shop.example/a");`],
  ['C#', `using Microsoft.Playwright;\nawait page.GotoAsync("https://shop.example/a");`],
])('a test in %s is answered with the command that records it in JavaScript', (language, source) => {
  const command = 'npx playwright codegen --target javascript https://shop.example/a';
  expect(() => parsePlaywrightTest(source)).toThrow(`in ${language}, and`);
  expect(() => parsePlaywrightTest(source)).toThrow(command);
});
