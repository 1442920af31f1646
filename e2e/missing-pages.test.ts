/** Protects pages of what is not there: deleted runs, wrong links, and runs of a newer version. */
import { runSchemaVersion } from '../shared/kinds/comparison/run.ts';
import { expect, test } from './fixtures.ts';
import { launch } from './launch.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeRun } from './store-run.ts';

test('a run that was deleted with its token is gone for everybody', async ({ dashboard, page, browser }) => {
  await page.goto(dashboard.url);
  const id = await launch(page);
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByTestId('state')).toBeVisible();
  await page.getByRole('button', { name: 'More ways to share' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This run is in the bin');
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  const gone = 'This run was deleted';
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(gone);

  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  const answer = await elsewhere.goto(`${dashboard.url}/r/${id}`);
  expect(answer?.status()).toBe(410);
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText(gone);
  await elsewhere.getByRole('link', { name: 'All runs' }).click();
  await expect(elsewhere.getByText('Nothing has been measured here yet.')).toBeVisible();
  await context.close();
});

test('only the browser that started a run offers to delete it', async ({ storedRun, page }) => {
  await page.goto(storedRun.permalink);
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
});

test('a link that leads nowhere says so, whether its id could be one or not', async ({ storedRun, page }) => {
  const possible = await page.goto(`${storedRun.url}/r/${'x'.repeat(22)}`);
  expect(possible?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Run not found');
  const impossible = await page.goto(`${storedRun.url}/r/too-short`);
  expect(impossible?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Run not found');
  const elsewhere = await page.goto(`${storedRun.url}/nowhere`);
  expect(elsewhere?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is nothing at this address');
});

test('a page whose code cannot be loaded says so, and does not ask for it again and again', async ({
  storedRun,
  page,
}) => {
  let asked = 0;
  await page.route(/assets\/comparison-result-page/, (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto(storedRun.permalink);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong in this page');
  expect(asked).toBeLessThan(4);
});

test('a run of a newer version is left alone, and the page says what to do', async ({ page }) => {
  let id = '';
  const dashboard = await startDashboard({
    fill: async (dataDirectory) => {
      id = await storeRun(dataDirectory, { schemaVersion: runSchemaVersion + 1 });
    },
  });
  try {
    const answer = await page.goto(`${dashboard.url}/r/${id}`);
    expect(answer?.status()).toBe(501);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This run was made by a newer version');
    await expect(page.getByText('Update TLS Toll to open it.')).toBeVisible();
  } finally {
    await dashboard.dispose();
  }
});

test('the icon that browsers and readers ask for unasked is there', async ({ storedRun, request }) => {
  const icon = await request.get(`${storedRun.url}/favicon.ico`);
  expect(icon.status()).toBe(200);
  expect(icon.headers()['content-type']).toMatch(/^image\//);
  expect([...(await icon.body()).subarray(0, 4)], 'the head of an icon file').toEqual([0, 0, 1, 0]);
});
