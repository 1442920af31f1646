/** Protects the first minutes of a new user: paste an address, click once for a verdict, and once more for the next. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { openAuthority } from '../server/targets/certificates/certificate-authority.ts';
import { hasNginx, startNginxInTest } from '../server/testing/nginx-in-test.ts';
import { patienceMs } from '../server/testing/patience.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addressField, fillInOrigins, launch, launchButton, openOptions } from './launch.ts';
import { conclusionOf, readDocument, waitForRunPage } from './observe-storefront-run.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeRun } from './store-run.ts';

test('a running nginx takes one paste and one click to a verdict, and one click to the next', async ({
  realDashboard: dashboard,
  page,
}) => {
  test.skip(!hasNginx, 'nginx is not installed');
  test.setTimeout(4 * patienceMs);
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-stranger-'));
  const nginx = await startNginxInTest(await openAuthority(directory), ['http', 'https']);
  const [http, https] = [`http://127.0.0.1:${nginx.httpPort}`, `https://127.0.0.1:${nginx.httpsPort}`];
  const did = { pastes: 0, clicks: 0, refusals: 0 };
  page.on('response', (response) => {
    if (response.status() >= 400) did.refusals++;
  });
  const click = async (button: Locator) => {
    did.clicks++;
    await button.click();
  };
  try {
    await page.goto(dashboard.url);
    await launchButton(page).waitFor();
    did.pastes++;
    await paste(page, `127.0.0.1:${nginx.httpPort}`);
    await click(launchButton(page));
    const id = await waitForRunPage(page);
    await conclusionOf(page).waitFor({ timeout: 2 * patienceMs });
    const first = await readDocument(`${dashboard.url}/r/${id}`);
    expect(first).toMatchObject({
      ...{ state: 'finished', verdict: expect.anything() },
      target: { kind: 'origins', http, https, trust: expect.stringMatching(/^([0-9A-F]{2}:){31}/) },
      asked: { length: 'first', scenario: null },
    });
    expect(first.scenario.steps).toMatchObject([{ method: 'GET', path: '/' }]);
    expect(did).toEqual({ pastes: 1, clicks: 1, refusals: 0 });

    await click(page.getByRole('button', { name: /^Run again, / }));
    await page.waitForURL((url) => /\/r\/[0-9A-Za-z]{22}$/.test(url.pathname) && !url.pathname.endsWith(id));
    const again = await readDocument(page.url());
    expect(again.target).toEqual(first.target);
    expect(did).toEqual({ pastes: 1, clicks: 2, refusals: 0 });

    await page.goto(dashboard.url);
    await paste(page, `127.0.0.1:${nginx.httpPort}`);
    const line = page.getByText(/^Found nginx/);
    await expect(line).toContainText(
      `on :${nginx.httpPort} and :${nginx.httpsPort} · same page, 20 kB · TLS 1.3`,
    );
    await expect(line).toContainText('trusted for this run on this machine, name and dates not checked');
    await expect(line).toContainText(/CPU is read from nginx \(\d processes\)/);
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize(narrow);
    await expectNoSidewaysScroll(page);
  } finally {
    await nginx.stop();
    await rm(directory, { recursive: true });
  }
});

/** Pastes without selecting a field. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

test('the form keeps what was typed across a reload, another page and the way back', async ({
  dashboard,
  page,
}) => {
  const typed = 'http://127.0.0.1:3000 https://localhost:3443 /a /b';
  await page.goto(dashboard.url);
  await addressField(page).fill(typed);
  await page.getByRole('radio', { name: /^To quote/ }).press('Space');
  await page.reload();
  await expect(addressField(page)).toHaveValue(typed);
  await expect(page.getByRole('radio', { name: /^To quote/ })).toBeChecked();

  await openOptions(page);
  await page.getByRole('link', { name: 'import a scenario' }).click();
  await page.getByRole('heading', { level: 1, name: 'Scenarios' }).waitFor();
  await page.goBack();
  await expect(addressField(page)).toHaveValue(typed);
  await page.goto(`${dashboard.url}/docs`);
  await page.goBack();
  await expect(addressField(page)).toHaveValue(typed);
});

test('a failed lookup is explained below the field, and nothing is queued', async ({ dashboard, page }) => {
  await page.goto(dashboard.url);
  await launchButton(page).waitFor();
  const ten = Array.from({ length: 10 }, (_, port) => `127.0.0.1:${8080 + port}`).join(' ');
  const id = 'A'.repeat(22);
  const wrong: [pasted: string, said: RegExp, shown?: string][] = [
    ['http://me:secret@127.0.0.1:1', /user name and password were removed/, 'http://127.0.0.1:1'],
    ['127.0.0.1:1', /Nothing is listening on 127\.0\.0\.1:1\./],
    ['[::1]:1', /Nothing is listening on \[::1\]:1\./],
    ['10.0.0.1:8080', /Not allowed: 10\.0\.0\.1 is an address of a private network/],
    ['bücher.invalid', /Not allowed: xn--bcher-kva\.invalid does not resolve to an address\./],
    ['127.0.0.1:1/my page.html', /Nothing is listening on 127\.0\.0\.1:1\./],
    ['ftp://127.0.0.1/', /is not an address/],
    [ten, /10 addresses\. Paste one or two/],
    ['   ', /The clipboard has no text/],
    [`https://other.example/r/${id}`, /link of another dashboard/],
    [new URL(dashboard.url).host, /is this dashboard, which is never a target/],
    [
      `curl ftp://127.0.0.1/ -d '${'x'.repeat(1_000_000)}'`,
      /no request that a run could send|is not an HTTP/,
    ],
  ];
  for (const [pasted, said, shown] of wrong) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await paste(page, pasted);
    await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible();
    if (shown !== undefined) await expect(addressField(page)).toHaveValue(shown);
    await expect(page.locator('body')).not.toContainText('secret@');
  }
  await addressField(page).evaluate((field) => {
    const files = new DataTransfer();
    for (const name of ['a.har', 'b.har']) files.items.add(new File(['{}'], name));
    field.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole('status').filter({ hasText: 'These are 2 files.' })).toBeVisible();
  const listed = await (await fetch(`${dashboard.url}/api/v1/measurements`)).json();
  expect(listed.measurements, 'nothing was queued').toEqual([]);
});

test('a side that serves something else is offered, not taken', async ({ dashboard, origins, page }) => {
  await page.goto(dashboard.url);
  const { host } = new URL(origins.https);
  await addressField(page).fill(`${origins.http}/broken`);
  await addressField(page).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `and :${host.split(':')[1]}` })).toBeVisible();
  origins.breakHttps();
  await addressField(page).fill(origins.http);
  await addressField(page).press('Enter');
  await expect(page.getByText(/Choose one of these, or paste its HTTPS address/)).toBeVisible();
  await expect(launchButton(page)).toBeDisabled();
  await expect(launchButton(page)).toHaveAccessibleDescription('The HTTPS address is missing.');
  await page.getByRole('button', { name: new RegExp(`^${origins.https}`) }).click();
  await expect(page.getByText(/different pages/)).toBeVisible();
});

test('a curl command fills in its scenario and its address', async ({ dashboard, origins, page }) => {
  await page.goto(dashboard.url);
  await launchButton(page).waitFor();
  await paste(page, `curl '${origins.http}/shop?a=1' \\\n  -H 'accept: text/html'`);
  await expect(page.getByRole('status').filter({ hasText: 'same page' })).toBeVisible();
  const id = await launch(page);
  const { scenario, target } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(scenario.steps).toMatchObject([{ method: 'GET', path: '/shop?a=1' }]);
  expect(target).toMatchObject({ http: origins.http, https: origins.https });
});

test('the scenario that is chosen after a curl command was pasted is the one that runs', async ({
  dashboard,
  origins,
  page,
}) => {
  await page.goto(dashboard.url);
  await launchButton(page).waitFor();
  await paste(page, `curl '${origins.http}/shop?a=1'`);
  await expect(page.getByRole('status').filter({ hasText: 'same page' })).toBeVisible();
  await openOptions(page);
  await page.getByLabel('Scenario', { exact: true }).selectOption('The path above');
  const id = await launch(page);
  const { scenario } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(scenario.steps).toMatchObject([{ method: 'GET', path: '/' }]);
});

test('input that cannot become a run is explained at the field before anything is queued', async ({
  realDashboard: dashboard,
  origins,
  page,
}) => {
  await page.goto(dashboard.url);
  await fillInOrigins(page, origins);
  const both = `${origins.http} ${origins.https}`;
  const wrong: [text: string, message: RegExp][] = [
    [`${both} /missing`, /^The scenario does not fit this site: GET \/missing answers 404 on both sides/],
    [`${both} /moved`, /redirects to \/ instead of answering 200/],
    [`${both} /broken`, /^GET \/broken answers 500 on both sides/],
  ];
  for (const [text, message] of wrong) {
    await addressField(page).fill(text);
    await launchButton(page).click();
    await expect(addressField(page)).toHaveAccessibleDescription(message);
    await expect(launchButton(page)).toBeDisabled();
    await addressField(page).fill(both);
    await expect(launchButton(page)).toBeEnabled();
  }
  const listed = await (await fetch(`${dashboard.url}/api/v1/measurements`)).json();
  expect(listed.measurements, 'nothing was queued').toEqual([]);

  await addressField(page).fill(`${both} /missing`);
  await launchButton(page).click();
  await page.getByRole('region', { name: 'Check of the target' }).waitFor();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});

test('a run that was refused leads to its target, which the form has', async ({
  realDashboard: dashboard,
  origins,
  page,
}) => {
  await page.goto(dashboard.url);
  await fillInOrigins(page, origins);
  await launch(page);
  await origins.closeHttps();
  await conclusionOf(page).waitFor();
  await page
    .getByRole('link', { name: /^(Fix the target|Change settings)$/ })
    .first()
    .click();
  await expect(addressField(page)).toHaveValue(`${origins.http} ${origins.https}`);
});

test('after its certificate changed, a run is refused with one button, which trusts and starts', async ({
  realDashboard: dashboard,
  origins,
  page,
}) => {
  test.setTimeout(4 * patienceMs);
  await page.goto(dashboard.url);
  await addressField(page).fill(`${origins.http} ${origins.https}`);
  await addressField(page).press('Enter');
  await expect(page.getByText(/trusted for this run on this machine/)).toBeVisible();
  await launch(page);
  await conclusionOf(page).waitFor({ timeout: 2 * patienceMs });
  await origins.changeCertificate();
  const before = page.url();
  await page.getByRole('button', { name: /^Run again, / }).click();
  const trust = page.getByRole('button', { name: /^Trust and start, / });
  await expect(trust).toBeVisible();
  await expect(page.getByText(/is not the one that you trusted: its SHA-256 is/)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await trust.click();
  await page.waitForURL((url) => url.pathname.startsWith('/r/') && url.href !== before);
  await conclusionOf(page).waitFor({ timeout: 2 * patienceMs });
  const again = await readDocument(page.url());
  expect(again).toMatchObject({
    state: 'finished',
    target: { trust: expect.stringMatching(/^([0-9A-F]{2}:){31}/) },
  });
});

test('what was never kept is asked for in one dialog, which starts', async ({ page }) => {
  const { scenario } = sampleRun();
  const [step] = scenario.steps;
  if (step === undefined) throw new Error('the sample has steps');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of scenarios
  const own = { ...scenario, id: 'own', steps: [{ ...step, path: '/?p=${secret:password}' }] };
  const dashboard = await startDashboard({
    pace: 10,
    fill: (directory) => storeRun(directory, { scenario: own, revisionId: null }),
  });
  await page.goto(`${dashboard.url}/results`);
  await page.getByRole('table', { name: 'Questions' }).getByRole('link').first().click();
  await page.getByRole('button', { name: /^Run again, .*…$/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Run again, / });
  const field = dialog.getByLabel('Secret password', { exact: true });
  await expect(field).toBeFocused();
  const start = dialog.getByRole('button', { name: /^Run again, / });
  await expect(start).toBeDisabled();
  await expect(dialog.getByText('Missing: Secret password')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await field.fill('hunter2');
  await start.click();
  const id = await waitForRunPage(page);
  expect(await (await page.request.get(`${dashboard.url}/r/${id}.json`)).text()).not.toContain('hunter2');
  await dashboard.dispose();
});
