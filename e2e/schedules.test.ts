/** Protects repeating: a result is repeated from its page, the next one joins its series, and the schedule is paused and deleted. */
import type { Page } from '@playwright/test';
import { openDatabase } from '../server/life/database/open-database.ts';
import { createdMeasurementSchema } from '../shared/measurement/measurement.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, fewestForInterval, test } from './fixtures.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

let dashboard: Dashboard;
test.beforeAll(async () => {
  // Without a browser its runs have no cache section, which nobody reads here.
  dashboard = await startDashboard({
    ...{ pace: 0.02, plan: { epochs: fewestForInterval }, environment: { CHROMIUM_PATH: '/nowhere' } },
  });
});
test.afterAll(() => dashboard.dispose());

/** A finished quick run of the storefront; its page. */
async function measure(page: Page): Promise<string> {
  const created = await page.request.post(`${dashboard.url}/api/v1/measurements`, {
    headers: { Origin: dashboard.url },
    data: { kind: 'comparison', seed: 7, launches: 1 },
  });
  const { url } = createdMeasurementSchema.parse(await created.json());
  await page.goto(`${dashboard.url}${url}`);
  await expect(page.getByRole('region', { name: 'Repeat' })).toBeVisible({ timeout: 60_000 });
  return url;
}

/** Makes every schedule due. */
async function letTimeCome(): Promise<void> {
  const database = await openDatabase({ directory: dashboard.dataDirectory, url: null });
  await database.queries.updateTable('schedules').set({ nextAt: Date.now() }).execute();
  await database.close();
}

async function finishedRuns({ request }: Page): Promise<number> {
  const answer = await request.get(`${dashboard.url}/api/v1/measurements?kind=comparison&state=finished`);
  return (await answer.json()).measurements.length;
}

test('a result is repeated, its next one joins the series, and the schedule is paused and deleted', async ({
  page,
}) => {
  await measure(page);
  const repeat = page.getByRole('region', { name: 'Repeat' });
  await repeat.getByRole('heading', { name: 'Repeat' }).click();
  await repeat.getByLabel('Time (').fill('');
  await repeat.getByRole('button', { name: 'Start repeating' }).click();
  await expect(repeat).toContainText('a time of day is written as 02:30');
  await repeat.getByLabel('Every').selectOption('Week');
  await repeat.getByLabel('Day', { exact: true }).selectOption('Friday');
  await repeat.getByLabel('Time (').fill('22:15');
  await repeat.getByLabel('Number of runs').fill('2');
  await repeat.getByRole('button', { name: 'Start repeating' }).click();
  await expect(repeat.getByRole('status')).toContainText(/Every Friday at 22:15 .* measured 0 of 2 times/);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);

  await letTimeCome();
  await page.goto(`${dashboard.url}/runs`);
  await expect(page.getByText('1 run is repeated, next on')).toBeVisible();
  const repeated = page
    .getByRole('region', { name: 'Results' })
    .getByRole('listitem')
    .filter({ hasText: 'repeated' });
  await expect.poll(() => finishedRuns(page)).toBe(2);
  await page.reload();
  await repeated.getByRole('link').first().click();
  await expect(page.getByRole('region', { name: 'Series', exact: true })).toContainText('2 runs');
  // This browser made the schedule, so it may delete what that measures.
  const share = page.getByRole('group', { name: 'Share' });
  await share.getByRole('button', { name: 'More ways to share' }).click();
  await expect(share.getByRole('button', { name: 'Delete' })).toBeVisible();

  await page.goto(`${dashboard.url}/runs`);
  await page.getByText('Schedules').first().click();
  await expect(page.getByRole('heading', { name: 'Schedules', level: 1 })).toBeVisible();
  const line = page.getByRole('listitem').filter({ hasText: 'Every Friday at 22:15' });
  await expect(line).toContainText('measured 1 of 2 times');
  await line.getByRole('button', { name: /^Pause/ }).click();
  await expect(line).toContainText('Paused');
  await expectAccessibleInBothSchemes(page);
  await expectNoSidewaysScroll(page);
  await line.getByRole('button', { name: /^Turn on/ }).click();
  await expect(line.getByRole('button', { name: /^Pause/ })).toBeVisible();
  await line.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing is repeated.')).toBeVisible();
});
