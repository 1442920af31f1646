/** Protects explanations of a run from form and page to the first progress, and names in them, which are text. The page of a result: golden-pages.test.ts. */
import { spawnSync } from 'node:child_process';
import { explainDocumentSchema } from '../shared/kinds/explain/explain.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { cancelUnderWay } from './launch.ts';
import { startDashboard } from './start-dashboard.ts';
import { golden, storeDocuments } from './store-run.ts';

const hasPerf =
  spawnSync('perf', ['record', '-a', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true']).status === 0;

test('the form holds at 375 px, and says what a field takes', async ({ results, page }) => {
  await page.goto(`${results.url}/lab/explain`);
  await page.getByText('Server and load').click();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Starts').fill('1');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByText('A whole number from 3 to 30.')).toBeVisible();

  await page.getByText('A running server').click();
  await expect(page.getByLabel('Certificate key')).toHaveCount(0);
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByText('Give the HTTP address, such as http://127.0.0.1:8080.')).toBeVisible();
  await expectNoSidewaysScroll(page);

  await page.getByText('A server to start').click();
  await page.getByText('Count instructions instead').click();
  await expect(page.getByLabel('Starts')).toHaveCount(0);
});

test('a name is text, whatever is in it', async ({ page }) => {
  const document = explainDocumentSchema.parse(golden('explain'));
  const name = '<img src=x onerror="document.title=1">';
  const named = document.stacks.comparison.map((each) => ({
    ...each,
    stack: `${name};${each.stack};${name}`,
  }));
  const stored = { ...document, stacks: { ...document.stacks, comparison: named } };
  const dashboard = await startDashboard({ fill: (directory) => storeDocuments(directory, [stored]) });
  try {
    await page.goto(`${dashboard.url}/l/${document.id}`);
    const chart = page.getByRole('group', { name: /^Functions over HTTPS/ });
    await expect(chart.getByRole('button', { name }).first()).toBeVisible();
    await page.locator('#functions').getByText('Show data').click();
    await expect(page.getByTestId('explain-functions')).toContainText(name);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  } finally {
    await dashboard.dispose();
  }
});

test('a run is explained from its page, which follows it until it is canceled', async ({ results, page }) => {
  test.skip(!hasPerf, 'perf (linux-perf) is missing');
  await page.goto(results.pages.comparison);
  const section = page.getByRole('region', { name: 'Where it goes' });
  await section.getByRole('button', { name: 'Explain' }).click();
  await expect(section.getByRole('progressbar')).toBeVisible();
  await expect(page).toHaveURL(/[?&]explain=[0-9A-Za-z]{22}/);
  await section.getByRole('link', { name: 'Open the explanation' }).click();
  await cancelUnderWay(page);
});
