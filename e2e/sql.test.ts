/** Protects queries in the dashboard: examples, custom queries, downloads, and problems. */
import { readFile } from 'node:fs/promises';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { parseCsv } from './parse-csv.ts';

test('examples and queries answer with a table and files, and a link brings the query along', async ({
  storedRun: { url, permalink },
  page,
}) => {
  await page.goto(`${url}/lab/servers`);
  await page.getByRole('link', { name: 'Query all runs with SQL' }).click();
  await page.getByRole('button', { name: 'CPU per transaction at full load of every run' }).click();
  const table = page.getByTestId('sql-result');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('overhead');

  const query = page.getByRole('textbox', { name: 'Query' });
  await query.fill('select measurement_id, metric, ratio from v_metrics order by metric');
  await query.press('Control+Enter');
  await expect(table.getByRole('columnheader', { name: 'ratio' })).toBeVisible();
  const link = table.getByRole('link').first();
  expect(new URL((await link.getAttribute('href')) ?? '', url).href).toBe(permalink);
  const shown = await table.getByRole('row').count();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('tls-toll.csv');
  const { columns, rows } = parseCsv(await readFile(await download.path(), 'utf8'));
  expect(rows).toHaveLength(shown - 1);
  expect(columns).toEqual(['measurement_id', 'metric', 'ratio']);

  await page.reload();
  await expect(query).toHaveValue('select measurement_id, metric, ratio from v_metrics order by metric');
});

test('what is not a query from the views is refused in a sentence, by keyboard too', async ({
  storedRun: { url },
  page,
}) => {
  await page.goto(`${url}/sql`);
  const query = page.getByRole('textbox', { name: 'Query' });
  await query.fill('select delete_token_hash from measurements');
  await page.getByRole('button', { name: 'Run query' }).press('Enter');
  await expect(page.getByRole('alert')).toContainText('can be read, not measurements');
  await query.fill('selec 1');
  await page.getByRole('button', { name: 'Run query' }).click();
  await expect(page.getByRole('alert')).toContainText('There is a mistake near “selec”');
});

test('the page is accessible in light and dark, and fits 375 px', async ({ storedRun: { url }, page }) => {
  await page.goto(`${url}/sql`);
  await page.getByText('Views and columns').click();
  await page.getByRole('textbox', { name: 'Query' }).fill('select * from v_metrics');
  await page.getByRole('button', { name: 'Run query' }).click();
  await page.getByTestId('sql-result').waitFor();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});
