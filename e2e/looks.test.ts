/** Protects every screen at rest: accessible to axe in both color schemes, and whole at 375 px. */
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectDescribedDrawings,
  expectNoSidewaysScroll,
  narrow,
  openAllDetails,
  small,
} from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addressField, launchButton, openOptions } from './launch.ts';
import { conclusionOf } from './observe-storefront-run.ts';

/** Every screen but a run under way and one just measured, which have tests of their own. */

test('axe finds nothing serious on the launch page, nor the browser against its policy, light and dark', async ({
  dashboard,
  page,
}) => {
  const reports = await reportsOfPolicy(page);
  await page.goto(dashboard.url);
  const launch = launchButton(page);
  await launch.waitFor();
  await expectAccessibleInBothSchemes(page);
  await openWholeForm(page);
  await addressField(page).fill('127.0.0.1:1 127.0.0.1:2 127.0.0.1:3');
  await launch.click();
  await expect(launch, 'there are too many addresses').toBeDisabled();
  await expectAccessibleInBothSchemes(page);
  expect(reports).toEqual([]);
});

test('axe finds nothing serious on a finished run, light and dark, whose charts have names and tables', async ({
  storedRun: { permalink },
  page,
}) => {
  await page.goto(permalink);
  await conclusionOf(page).waitFor();
  for (const chart of await chartsOf(page)) {
    await chart.press('Space');
    await expect(chart).toBeChecked();
    await expectDescribedDrawings(page);
  }
  await openAllDetails(page);
  await expectAccessibleInBothSchemes(page);
});

test('375 px hold the launch page, a finished run, the list and the missing page', async ({
  storedRun,
  page,
}) => {
  await page.setViewportSize(narrow);
  await page.goto(storedRun.url);
  await page.getByRole('heading', { name: 'Your questions' }).waitFor();
  await openWholeForm(page);
  await expectNoSidewaysScroll(page);

  await page.goto(storedRun.permalink);
  for (const chart of await chartsOf(page)) {
    await chart.press('Space');
    await expect(page.locator('#charts figure').first()).toBeVisible();
    await openAllDetails(page);
    await expectNoSidewaysScroll(page);
  }

  await page.goto(`${storedRun.url}/runs`);
  await page.getByRole('region', { name: 'Results', exact: true }).waitFor();
  await expectNoSidewaysScroll(page);

  await page.goto(`${storedRun.url}/results`);
  await page.getByRole('button', { name: /^1 run of .*HTTPS or HTTP/ }).press('Enter');
  await expect(page.getByRole('table', { name: 'Questions' }).getByRole('listitem')).toHaveCount(1);
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothSchemes(page);

  await page.goto(`${storedRun.url}/r/${'0'.repeat(22)}`);
  await page.getByRole('heading', { level: 1, name: 'Run not found' }).waitFor();
  await expectNoSidewaysScroll(page);
});

test('what is too wide for a small screen is reached by the keyboard on a finished run', async ({
  storedRun,
  page,
}) => {
  await page.setViewportSize(small);
  await page.goto(storedRun.permalink);
  await conclusionOf(page).waitFor();
  await openAllDetails(page);
  await expectAccessible(page);
});

/** Grows with what the content security policy of the page blocks. */
async function reportsOfPolicy(page: Page): Promise<string[]> {
  const reports: string[] = [];
  await page.exposeFunction('reportPolicy', (what: string) => reports.push(what));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(window, 'reportPolicy')(`${violatedDirective} ${blockedURI}`),
    );
  });
  return reports;
}

async function openWholeForm(page: Page): Promise<void> {
  await openOptions(page);
  await page.getByText(/^Sides: /).click();
  await page.getByText('Connections and load').click();
}

async function chartsOf(page: Page) {
  const charts = page.getByRole('group', { name: 'Chart' }).getByRole('radio');
  await expect(charts).toHaveCount(5);
  return charts.all();
}
