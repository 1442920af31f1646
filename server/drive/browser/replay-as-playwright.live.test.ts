/** Protects imported tests from meaning something else: a replay sends what Playwright itself sends for the same lines. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePlaywrightTest } from '../../intake/import/playwright-test.ts';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { replayActions } from './replay-actions.ts';

const button = (name: string, path: string) => `<button onclick="tell('${path}', event)">${name}</button>`;
const page = `<title>Shop</title>
  <script>const tell = (path, event = {}) => fetch('/done' + path + (event.shiftKey ? '?shift' : ''))</script>
  <table>
    <tr><td>Lamp</td><td><b>new</b></td><td>${button('Buy', '/lamp')}</td></tr>
    <tr><td>Oil</td><td></td><td>${button('Buy', '/oil')}</td></tr>
    <tr style="display:none"><td>Wick</td><td></td><td>${button('Buy', '/wick')}</td></tr>
  </table>
  <div class="list"><i onclick="tell('/first')">1</i><i onclick="tell('/second')">2</i></div>
  <div class="list"><i onclick="tell('/third')">3</i><i onclick="tell('/fourth')">4</i></div>
  <label><input type="checkbox" checked onchange="tell('/unticked')"> News</label>
  <label><input type="checkbox" onchange="tell('/ticked')"> Offers</label>
  <select aria-label="Size" onchange="tell('/size/' + this.value)"><option value="s">Small<option value="l">Large</select>
  <input aria-label="Word" onkeydown="tell('/key/' + event.key)" onblur="tell('/left')">
  <div id="map" style="width:200px;height:50px" onclick="tell('/map/' + event.offsetX + '/' + event.offsetY)">map</div>
  <button onclick="tell('/confirmed/' + confirm('Sure?'))">Delete</button>
  <div data-testid="hold" onmousedown="tell('/down')" onmouseup="tell('/up')">hold</div>
  <div id="from" draggable="true" style="width:50px;height:20px">from</div>
  <div id="onto" style="width:50px;height:20px" ondragover="event.preventDefault()" ondrop="tell('/dropped')">onto</div>`;

const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(request.url === '/' ? page : 'ok');
});
let origin = '';
let browser: Browser;
const executablePath = findChromium(process.env) ?? '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: patienceMs });
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

const lines = `
  await page.getByRole('row').filter({ has: page.locator('b') }).getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('row').filter({ hasNot: page.locator('b'), hasText: 'Oil' }).getByRole('button').click({ modifiers: ['Shift'] });
  await page.locator('tr').visible().last().getByText('Buy').click();
  await page.locator('.list').locator(page.locator('i').nth(1)).last().click();
  await page.locator('i').first().within(page.locator('.list')).nth(1).click();
  await page.locator('i').and(page.getByText('2')).or(page.getByText('never there')).click();
  await page.getByRole('checkbox', { checked: true }).setChecked(false);
  await page.getByRole('checkbox', { name: 'Offers', checked: false }).check();
  await page.getByLabel('Size').selectOption({ label: 'Large' });
  await page.locator('#map').click({ position: { x: 30, y: 12 } });
  await page.getByLabel('Word').focus();
  await page.keyboard.down('Shift');
  await page.keyboard.press('b');
  await page.keyboard.up('Shift');
  await page.keyboard.press('Control+a');
  await page.getByLabel('Word').blur();
  page.once('dialog', (dialog) => { dialog.accept().catch(() => {}); });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const box = page.getByTestId('hold');
  await box.hover();
  await page.mouse.down();
  await page.mouse.up();
  await page.locator('#from').dragTo(page.locator('#onto'));
  await page.click('i');
  await Promise.all([page.waitForURL('**/*'), page.getByText('Buy').nth(1).click({ force: true })]);
`;

/** Requests that Playwright sends when it runs the lines. */
async function sentByPlaywright(): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const shown = await context.newPage();
  shown.setDefaultTimeout(patienceMs);
  const sent: string[] = [];
  shown.on('request', (request) =>
    sent.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...source: string[]
  ) => (page: Page) => Promise<void>;
  await shown.goto(`${origin}/`);
  await new AsyncFunction('page', lines)(shown);
  await shown.waitForLoadState('networkidle');
  await context.close();
  return sent.filter((path) => path.startsWith('/done')).sort();
}

test('a replay sends what Playwright sends for the same lines', async () => {
  const { actions, unsupported } = parsePlaywrightTest(
    `test('t', async ({ page }) => {\nawait page.goto('${origin}/');${lines}});`,
  );
  expect(unsupported).toEqual([]);
  const replayed = await replayActions({
    ...{ executablePath, actions, secrets: {}, known: new Map(), permits: [], own: [], url: origin },
    signal: new AbortController().signal,
    patience: { actionMs: patienceMs, visitMs: patienceMs, expectationMs: patienceMs },
  });
  expect(replayed.unsupported).toEqual([]);
  const sent = replayed.exchanges.map(({ path }) => path).filter((path) => path.startsWith('/done'));
  expect(sent.sort()).toEqual(await sentByPlaywright());
  expect(sent).toEqual(
    expect.arrayContaining([
      '/done/lamp',
      '/done/oil?shift',
      '/done/fourth',
      '/done/confirmed/true',
      '/done/dropped',
    ]),
  );
});
