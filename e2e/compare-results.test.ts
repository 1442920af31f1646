/** Protects the comparison of two runs: from a run to the page that says what changed, whose link opens elsewhere. */

import { openDatabase } from '../server/life/database/open-database.ts';
import { laterRun } from '../server/testing/later-run.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { storeFinishedRun } from '../server/testing/store-finished-run.ts';
import { headlineOfRun } from '../shared/words/headline.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectNoSidewaysScroll,
  expectPresentable,
  narrow,
} from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

const earlier = sampleRun();
const cheaper = laterRun({ cpu: 0.93 });
const later = { ...cheaper, environment: { ...cheaper.environment, cores: 4, openssl: '3.5.9' } };
/** A question of its own. */
const elsewhere = {
  ...{ ...earlier, id: '7otherRun0000000000000' },
  scenario: { ...earlier.scenario, name: 'Checkout', steps: earlier.scenario.steps.slice(0, 1) },
};
/** Nothing differs from the first but what chance did. */
const again = { ...laterRun(), id: '6againRun0000000000000' };
const pair = `${earlier.id}..${later.id}`;

let dashboard: Dashboard;
test.beforeAll(async () => {
  dashboard = await startDashboard({
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      for (const run of [earlier, later, again, elsewhere]) await storeFinishedRun(database, run);
      await database.close();
    },
  });
});
test.afterAll(() => dashboard.dispose());

test('from a run to what changed since an earlier one, by its list and by a pasted link', async ({
  page,
}) => {
  await page.goto(`${dashboard.url}/r/${later.id}`);
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with another run' });
  const offered = dialog.getByRole('list', { name: 'Runs of this scenario on this target' });
  await expect(offered.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  const field = dialog.getByLabel('ID or link of another run');
  await field.fill('yesterday');
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(dialog.getByText('Enter the ID of a run, or its link.')).toBeVisible();
  await field.fill(`${dashboard.url}/r/${earlier.id}`);
  await field.press('Enter');
  await expect(page).toHaveURL(`${dashboard.url}/c/${pair}`);
  await expect(page.getByTestId('change')).toHaveText(/^HTTPS costs \S+\sµs less per transaction /);

  await page.goBack();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await offered
    .getByRole('link', { name: headlineOfRun(earlier)?.title ?? '' })
    .last()
    .click();
  await expect(page).toHaveURL(/\/c\//);
});

test('two ticked runs of Results are compared, and two questions stand side by side without a verdict', async ({
  page,
}) => {
  await page.goto(`${dashboard.url}/results`);
  const questions = page.getByRole('table', { name: 'Questions' });
  await questions.getByRole('checkbox', { name: /Search/ }).check();
  const bar = page.getByRole('region', { name: 'Selected runs' });
  await expect(bar.getByText('To compare, select two.')).toBeVisible();
  await questions.getByRole('checkbox', { name: /Checkout/ }).check();
  await expectAccessible(page);
  await bar.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByTestId('change')).toHaveText(/^Two different questions: \+/);
  await expect(page.getByTestId('second')).toHaveText(/differ, so there is no verdict$/);
  const table = page.getByTestId('delta-table');
  await expect(table.getByRole('row').first()).toBeVisible();
  await expect(page.getByText(/^(Costs (more|less)|Unclear|Within ±5\s%)$/)).toHaveCount(0);
  expect(
    await table.locator('svg[role=img]').evaluateAll((all) => all.map((each) => each.dataset.tone)),
  ).toContain('quiet');
  expect(await table.locator('svg[data-tone=note], svg[data-tone=good]').count()).toBe(0);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);

  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(`${dashboard.url}/results`);
  await questions
    .getByRole('button', { name: /^3 runs of|^\d of 3 runs of|Search/ })
    .first()
    .click();
  for (const box of (await questions.getByRole('checkbox', { name: /^Select the run of/ }).all()).slice(0, 2))
    await box.check();
  await bar.getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByTestId('change')).toHaveText(/HTTPS costs/);
});

test('the page says what changed, what differs in the set-up, and each metric of both results', async ({
  page,
}) => {
  await page.goto(`${dashboard.url}/c/${pair}`);
  await expect(page.getByTestId('change')).toHaveText(
    / less per transaction in the second run than in the first$/,
  );
  await expect(page).toHaveTitle(/^HTTPS costs .* · −\S+ points at full load: from .* · TLS Toll$/);
  const results = page.getByRole('list', { name: 'Compared results' });
  await expect(results.getByRole('link').first()).toHaveAttribute('href', `/r/${earlier.id}`);
  const setup = page.getByRole('table', { name: 'What differs in the set-up' });
  await expect(setup.getByRole('row', { name: /^Cores/ })).toContainText('24');
  await expect(setup.getByRole('row')).toHaveCount(3);
  const cpu = page
    .getByTestId('change-table')
    .getByRole('row', { name: /^Server CPU per transaction at full load/ });
  await expect(cpu.first()).toContainText('Costs less');
  const [, points = ''] = /^(−\S+) points/.exec(await page.getByTestId('second').innerText()) ?? [];
  await expect(cpu.first(), 'as in the headline').toContainText(points);
  const unit = (name: string) => page.getByRole('group', { name: 'Unit' }).getByRole('radio', { name });
  const throughput = page
    .getByTestId('change-table')
    .getByRole('row', { name: /^Throughput/ })
    .first();
  await expect(throughput.getByRole('img')).toBeVisible();
  await unit('µs').press('Space');
  await expect(page).toHaveURL(/\?unit=us$/);
  await expect(throughput.getByRole('img')).toHaveCount(0);
  await expect(cpu.first().getByRole('img')).toBeVisible();
  await unit('%').press('Space');
  await expect(page).toHaveURL(/\/c\/[^?]+$/);
  await expect(page.getByRole('figure').first()).toContainText('Server CPU');

  await page.getByRole('combobox', { name: 'Metric' }).selectOption('Throughput');
  await expect(page).toHaveURL(/\?m=throughput/);
  await page.reload();
  await expect(page.getByRole('figure').last()).toContainText('Throughput start by start');
  await expectPresentable(page);
});

test('swapped it is said the other way round, and the link opens in a fresh profile', async ({
  page,
  browser,
}) => {
  await page.goto(`${dashboard.url}/c/${pair}`);
  await page.getByRole('link', { name: 'Swap' }).click();
  await expect(page.getByTestId('change')).toHaveText(/ more per transaction in the second run /);
  const context = await browser.newContext();
  const fresh = await context.newPage();
  await fresh.goto(page.url());
  await expect(fresh.getByTestId('change')).toHaveText(await page.getByTestId('change').innerText());
  expect(await context.cookies()).toEqual([]);
  await context.close();
});

test('two runs of the same say so in a line, and the report is a click away', async ({ page }) => {
  await page.goto(`${dashboard.url}/c/${earlier.id}..${again.id}`);
  await expect(page.getByTestId('change')).toHaveText(
    /^HTTPS costs the same per transaction in both runs, within ±5\s%/,
  );
  await expect(page.getByText('Nothing differs in the set-up.')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Markdown, the report' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`tls-toll-${earlier.id}-${again.id}.md`);
});

test('what cannot be compared is explained on the page', async ({ page }) => {
  const missing = await page.goto(`${dashboard.url}/c/${earlier.id}..${'Z'.repeat(22)}`);
  expect(missing?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Run not found' }).waitFor();
  await page.goto(`${dashboard.url}/c/${earlier.id}..${earlier.id}`);
  await page.getByRole('heading', { level: 1, name: 'These results cannot be compared' }).waitFor();
  await expect(page.getByText('Both are the same result.')).toBeVisible();
  await page.goto(`${dashboard.url}/c/yesterday`);
  await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor();
});
