/** Protects the toll of a mesh from form to permalink: four paths, two shifts, and a figure with its table. */
import { spawnSync } from 'node:child_process';
import {
  expectAccessibleInBothSchemes,
  expectNoSidewaysScroll,
  expectPresentable,
  narrow,
} from './accessibility.ts';
import { expect, test } from './fixtures.ts';

const installed = ['haproxy', 'nginx'].every((program) => spawnSync(program, ['-v']).status === 0);

test('the launch page leads to the form, which holds at 375 px', async ({ storedRun, page }) => {
  await page.goto(storedRun.url);
  await page.getByRole('link', { name: 'What does a proxy or a sidecar cost?' }).click();
  await expect(page).toHaveURL(/\/lab\/mesh$/);
  await page.getByText('Application and load').click();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Address').fill('https://127.0.0.1:8443/');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(
    page.getByText(/^Proxies reach the application without TLS; give its http address/),
  ).toBeVisible();
});

test('a mesh is measured from the form, and its page stands at a permalink', async ({
  realDashboard,
  page,
}) => {
  test.skip(!installed, 'haproxy or nginx is missing');
  await page.goto(`${realDashboard.url}/lab/mesh`);
  await page.getByText('Application and load').click();
  await page.getByLabel('Launches').fill('3');
  await page.getByLabel('Document size, bytes').fill('50000');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page).toHaveURL(/\/l\/[0-9A-Za-z]{22}$/);
  await expect(page.getByTestId('headline')).toHaveText(
    /^The proxy costs .* of CPU a request; TLS in it costs /,
  );
  await expect(page.getByRole('table', { name: /more than a direct one/ }).getByRole('row')).toHaveCount(
    1 + 3,
  );
  await expectPresentable(page);
  await expect(
    page.getByRole('table', { name: /^CPU and latency of a request/ }).getByRole('row'),
  ).toHaveCount(1 + 4);
});
