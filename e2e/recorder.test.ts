/** Protects recording in the dashboard: what is done becomes a scenario that runs, and passwords stay nowhere. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addressField } from './launch.ts';
import { useRecordedPage } from './recorded-page.ts';

test('the search of the storefront is recorded with mouse and keyboard, saved, and tried over both transports', async ({
  realDashboard: dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/scenarios`);
  await page.getByRole('link', { name: 'Record in a browser' }).click();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^1 step, /)).toBeVisible();
  const address = page.getByLabel('Address of the recorded page');
  await expect(address).toHaveValue(/^http:\/\/storefront/);
  const shop = new URL(await address.inputValue());
  const recorded = await useRecordedPage(page, `http://127.0.0.1:${shop.port}`);
  const steps = page.getByRole('log', { name: 'Recorded steps' });

  await recorded.click('/', 'a[href="/search"]');
  await expect(steps).toContainText('Click the link “Search”');
  await expect(address).toHaveValue(/\/search$/);
  await checkText(page, 'Search results');
  await expect(page.getByText('“Search results” is not on the page.')).toBeVisible();
  await recorded.click('/search', '#q');
  await recorded.type('night vision');
  await expect(steps).toContainText('Type “night vision” into the field “Words to look for”');
  await recorded.press('Enter');
  await expect(steps).toContainText('Press Enter');
  // The page may be on its way.
  await checkText(page, 'Search results');
  await expect(steps).toContainText('Check that “Search results” is there');
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('button', { name: 'Finish recording' }).click();
  await page.getByRole('button', { name: 'Save scenario' }).click();
  await page.waitForURL(/\/scenarios\/[0-9A-Za-z]{22}$/);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const stored = await (await page.request.get(`${dashboard.url}/api/v1/scenarios/${id}`)).json();
  expect(stored.scenario.steps).toMatchObject([
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/search' },
    {
      method: 'POST',
      path: '/search',
      body: 'q=night+vision&category=0',
      checks: [{ type: 'body_contains', text: 'Search results' }],
    },
  ]);
  expect(stored.actions.map((action: { type: string }) => action.type)).toEqual(
    expect.arrayContaining(['goto', 'click', 'fill', 'press', 'expect_visible']),
  );

  await page.getByRole('button', { name: 'Start dry run' }).click();
  await expect(page.getByText('Both sides can be compared.')).toBeVisible();
  await expect(page.getByText('Same on both sides', { exact: true })).toHaveCount(3);
});

test('what goes into a password field is nowhere in what is shown, sent or stored, and the site is the target of the scenario', async ({
  realDashboard: dashboard,
  page,
}) => {
  const password = 'correct-horse-battery';
  const site = await startLoginSite();
  const sent = collectAnswers(page);
  await page.goto(`${dashboard.url}/record?url=${encodeURIComponent(`${site.origin}/`)}`);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^1 step, /)).toBeVisible();
  const recorded = await useRecordedPage(page, site.origin);
  const steps = page.getByRole('log', { name: 'Recorded steps' });
  await expect(page.getByText(/^1 step, [1-9]/)).toBeVisible();

  await recorded.click('/', 'button.top');
  await expect(steps).toContainText('Click the button “Top centre”');
  await recorded.click('/', 'input[type=password]');
  await recorded.type(password);
  await recorded.press('Enter');
  await expect(steps).toContainText('Type “${secret:word}” into the field “Kennwort”');
  await expect(steps).toContainText('Press Enter');
  await expect(page.getByLabel('Address of the recorded page')).toHaveValue(/\/welcome/);
  await page.getByRole('button', { name: 'Finish recording' }).click();
  await page.getByRole('button', { name: 'Save scenario' }).click();
  await page.waitForURL(/\/scenarios\/[0-9A-Za-z]{22}$/);

  expect(site.passwords).toEqual([password]);
  expect(await page.content()).not.toContain(password);
  expect(sent.join('\n')).toContain('${secret:word}');
  expect(sent.join('\n')).not.toContain(password);
  for (const file of filesBelow(dashboard.dataDirectory)) {
    expect(readFileSync(file).includes(password), file).toBe(false);
  }

  await expect(page.getByRole('region', { name: 'Dry run' }).getByLabel('HTTP origin')).toHaveValue(
    site.origin,
  );
  await page.getByRole('link', { name: 'Run this scenario' }).click();
  await expect(addressField(page)).toHaveValue(site.origin);
  await site.close();
});

/** Everything that the page is told: answers, and the texts of its WebSocket. */
function collectAnswers(page: Page): string[] {
  const sent: string[] = [];
  page.on('response', async (response) => sent.push(await response.text().catch(() => '')));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(`${payload}`)));
  return sent;
}

async function checkText(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Add check' }).click();
  await page.getByLabel('Click text in the picture, or type it').fill(text);
  await page.getByRole('button', { name: 'Check this text' }).click();
}

async function startLoginSite() {
  const passwords: (string | null)[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'text/html');
    if (request.method === 'GET') {
      const shown = request.url === '/' ? login : `<title>Welcome</title><p>${request.url}</p>`;
      return response.end(shown);
    }
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    const word = new URLSearchParams(body).get('word');
    passwords.push(word);
    response.writeHead(303, { Location: `/welcome?word=${word}` }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passwords,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const login = `<!doctype html><title>Log in</title><body style="margin:0;text-align:center">
<button class="top">Top centre</button>
<form method="post"><label>Kennwort <input type="password" name="word"></label></form>`;

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
