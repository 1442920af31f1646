/** Protects a sweep over servers from its form to the page of a cell, live and finished, and its text for readers of ab. */
import { readFile } from 'node:fs/promises';
import { hasNginx } from '../server/testing/nginx-in-test.ts';
import { readAbReport } from '../server/testing/read-ab-report.ts';
import { expectAccessible, expectNoSidewaysScroll, show } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test.skip(!hasNginx, 'nginx is not installed');

test('two cells are swept on nginx, and each has a page and a report', async ({ realDashboard, page }) => {
  await page.goto(`${realDashboard.url}/lab/servers`);
  await page.getByRole('button', { name: 'Malmgren 2011' }).click();
  await expect(page.getByTestId('plan-size')).toContainText('72 combinations');
  for (const level of ['Apache httpd', 'lighttpd', 'CHACHA20-POLY1305', 'RSA-1024', 'RSA-4096']) {
    await page.getByRole('checkbox', { name: level }).uncheck();
  }
  await page.getByLabel('Connections', { exact: true }).fill('8');
  const rounds = page.getByRole('textbox', { name: 'Rounds' });
  await rounds.fill('2');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByText('A whole number from 3 to 50.')).toBeVisible();
  await rounds.fill('3');
  await expect(page.getByTestId('plan-size')).toContainText('2 combinations, 3 rounds');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page).toHaveURL(/\/r\/[0-9A-Za-z]{22}$/);
  await expect(page.getByRole('table', { name: 'Requests per second in the latest round' })).toBeVisible();

  await expect(page.getByTestId('headline')).toHaveText(/^HTTPS costs /);
  await page.getByTestId('servers-cells').getByRole('link', { name: 'kept open' }).click();
  await expect(page).toHaveURL(/\/cells\/nginx-tls13-aes256gcm-rsa2048-keepalive-c8-5496$/);
  await expect(page.getByTestId('headline')).toHaveText(/^HTTPS answers /);
  await expect(page.getByRole('table', { name: 'Rounds' }).getByRole('row')).toHaveCount(1 + 3);
  await expect(page.getByRole('table', { name: 'HTTPS in 2011 and today' })).toBeVisible();
  await show(page, 'light');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download https.ab.txt' }).click();
  const { numbers } = readAbReport(await readFile(await (await saved).path(), 'utf8'));
  expect(numbers['Concurrency Level']).toBe(8);
  expect(numbers['Failed requests']).toBe(0);
  expect(numbers['HTML transferred']).toBe(5496 * (numbers['Complete requests'] ?? 0));
});
