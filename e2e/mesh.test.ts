/** Protects the toll of a mesh from its form to the first progress. The page of a result: golden-pages.test.ts. */
import { spawnSync } from 'node:child_process';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { openOptions, startAndCancel } from './launch.ts';

const installed = ['haproxy', 'nginx'].every((program) => spawnSync(program, ['-v']).status === 0);

test('the launch page leads to the form, which holds at 375 px', async ({ results, page }) => {
  await page.goto(results.url);
  await openOptions(page);
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

test('a mesh is measured from the form, and canceled', async ({ results, page }) => {
  test.skip(!installed, 'haproxy or nginx is missing');
  await page.goto(`${results.url}/lab/mesh`);
  await startAndCancel(page, 'Measure');
});
