/** Protects the first minutes with an own server: paste two addresses, start, see it measured, and run again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openAuthority } from '../server/targets/certificates/certificate-authority.ts';
import { hasNginx, startNginxInTest } from '../server/testing/nginx-in-test.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { followEvents, isBlock } from './follow-events.ts';
import { fillInOrigins, launch, launchButton } from './launch.ts';
import { conclusionOf, readDocument } from './observe-storefront-run.ts';

test('nginx is measured with nothing but its two addresses, its certificate trusted for that run, and again', async ({
  realDashboard: dashboard,
  page,
}) => {
  test.skip(!hasNginx, 'nginx is not installed');
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-stranger-'));
  const nginx = await startNginxInTest(await openAuthority(directory), ['http', 'https']);
  const [http, https] = [`http://127.0.0.1:${nginx.httpPort}`, `https://127.0.0.1:${nginx.httpsPort}`];
  try {
    await page.goto(dashboard.url);
    await page.getByRole('radio', { name: /^Two addresses/ }).press('Space');
    await page.getByLabel('HTTP address').fill(http);
    await page.getByLabel('HTTPS address').fill(https);
    await expect(page.getByLabel('Path')).toHaveValue('/');
    await launchButton(page).click();
    const trust = page.getByRole('button', { name: 'Trust this certificate for this run' });
    await trust.waitFor();
    await expectMessage(page, 'HTTPS address', /unknown authority/);
    await trust.click();
    await expect(page.getByText('Both sides can be compared.')).toBeVisible();

    const id = await launch(page);
    await followEvents(dashboard.url, id).until(isBlock);
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
    await conclusionOf(page).waitFor();
    const { state, target, scenario, asked } = await readDocument(`${dashboard.url}/r/${id}`);
    expect({ state, target, asked }).toMatchObject({
      state: 'incomplete',
      target: { kind: 'origins', http, https, trust: expect.stringMatching(/^([0-9A-F]{2}:){31}/) },
      asked: { length: 'first', scenario: null },
    });
    expect(scenario.steps).toMatchObject([{ method: 'GET', path: '/' }]);

    await page.getByRole('link', { name: 'Run again' }).click();
    await expectFilled(page, { http, https, path: '/' });
    await launchButton(page).click();
    await trust.waitFor();
  } finally {
    await nginx.stop();
    await rm(directory, { recursive: true });
  }
});

test('the form keeps what was typed across a reload, another page and the way back', async ({
  dashboard,
  page,
}) => {
  const typed = { http: 'http://127.0.0.1:3000', https: 'https://localhost:3443', path: '/a /b' };
  await page.goto(dashboard.url);
  await page.getByRole('radio', { name: /^Two addresses/ }).press('Space');
  await page.getByLabel('HTTP address').fill(typed.http);
  await page.getByLabel('HTTPS address').fill(typed.https);
  await page.getByLabel('Path').fill(typed.path);
  await page.getByRole('radio', { name: /^To quote/ }).press('Space');
  await page.reload();
  await expectFilled(page, typed);
  await expect(page.getByRole('radio', { name: /^To quote/ })).toBeChecked();

  await page.getByRole('link', { name: 'import a scenario' }).click();
  await page.getByRole('heading', { level: 1, name: 'Scenarios' }).waitFor();
  await page.goBack();
  await expectFilled(page, typed);
  await page.goto(`${dashboard.url}/docs`);
  await page.goBack();
  await expectFilled(page, typed);
});

test('what cannot be measured is said at its field before anything is queued', async ({
  realDashboard: dashboard,
  origins,
  page,
}) => {
  await page.goto(dashboard.url);
  await fillInOrigins(page, origins);
  const { host } = new URL(origins.http);
  const wrong: [field: 'HTTP address' | 'HTTPS address' | 'Path', text: string, message: RegExp][] = [
    ['HTTP address', host, /^Begin the address with http:\/\//],
    ['HTTP address', `${origins.http}/shop`, /^End the address after the port, and give \/shop as the path/],
    ['HTTP address', `http://me:secret@${host}`, /^Leave the user name and password out/],
    ['HTTP address', origins.https, /^This address starts with https:/],
    ['HTTPS address', `https://${host}`, /Both addresses use this port/],
    ['HTTP address', 'http://127.0.0.1:1', /^Nothing is listening on 127\.0\.0\.1:1\./],
    ['HTTP address', 'http://10.0.0.1:8080', /^Not allowed: 10\.0\.0\.1 is an address of a private network/],
    ['HTTP address', 'http://shop.invalid', /^Not allowed: shop\.invalid does not resolve to an address\./],
    ['Path', 'shop', /^Begin each path with one \//],
    ['Path', '/missing', /^The scenario does not fit this site: GET \/missing answers 404 on both sides/],
    ['Path', '/moved', /redirects to \/ instead of answering 200/],
    ['Path', '/broken', /^GET \/broken answers 500 on both sides/],
  ];
  for (const [field, text, message] of wrong) {
    const right = await page.getByLabel(field).inputValue();
    await page.getByLabel(field).fill(text);
    await launchButton(page).click();
    await expectMessage(page, field, message);
    await expect(launchButton(page)).toBeDisabled();
    await page.getByLabel(field).fill(right);
    await expect(launchButton(page)).toBeEnabled();
  }
  const listed = await (await fetch(`${dashboard.url}/api/v1/measurements`)).json();
  expect(listed.measurements, 'nothing was queued').toEqual([]);

  await page.getByLabel('Path').fill('/missing');
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
    .getByRole('link', { name: /^(Fix the target|Run again)$/ })
    .first()
    .click();
  await expectFilled(page, { http: origins.http, https: origins.https, path: '/' });
});

async function expectFilled(
  page: Page,
  { http, https, path }: { http: string; https: string; path: string },
): Promise<void> {
  await expect(page.getByLabel('HTTP address')).toHaveValue(http);
  await expect(page.getByLabel('HTTPS address')).toHaveValue(https);
  await expect(page.getByLabel('Path')).toHaveValue(path);
}

async function expectMessage(page: Page, field: string, message: RegExp): Promise<void> {
  await expect(page.getByLabel(field)).toHaveAccessibleDescription(message);
}
