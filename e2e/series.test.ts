/** Protects the series of a run: its trend and step are on the page of each run, and one can be pinned as the baseline. */
import { openDatabase } from '../server/life/database/open-database.ts';
import { laterRun } from '../server/testing/later-run.ts';
import { storeFinishedRun } from '../server/testing/store-finished-run.ts';
import { expectAccessible, expectNoSidewaysScroll, narrow, openAllDetails } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';

const day = 24 * 3600 * 1000;
const idOf = (place: number) => `${place}`.padEnd(22, 's');

test('a series shows its step and new versions, and counts from the run that is pinned', async ({ page }) => {
  const dashboard = await startDashboard({
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      for (const [place, cpu] of [1, 1.002, 0.998, 1, 0.9, 0.901, 0.899].entries()) {
        const run = laterRun({ cpu });
        const openssl = place < 4 ? '3.5.8' : '3.5.9';
        await storeFinishedRun(database, {
          ...{ ...run, id: idOf(place), createdAt: run.createdAt + place * day },
          environment: { ...run.environment, openssl },
        });
      }
      await database.close();
    },
  });
  try {
    await page.goto(`${dashboard.url}/r/${idOf(0)}`);
    const series = page.getByRole('region', { name: 'Series', exact: true });
    await expect(series.getByRole('figure')).toContainText('1 step in 7 runs: −10.');
    await series.getByRole('button', { name: 'Pin as reference' }).click();
    await expect(series.getByRole('button', { name: 'Unpin reference' })).toBeVisible();

    await page.goto(`${dashboard.url}/r/${idOf(6)}`);
    await series.getByText('Show data').click();
    const rows = series.getByRole('table', { name: 'Runs of the series' }).getByRole('row');
    await expect(rows).toHaveCount(8);
    await expect(rows.nth(1)).toContainText('This run');
    await expect(rows.nth(3)).toContainText(/Step −10\.\d % .*OpenSSL 3\.5\.8 → 3\.5\.9/);
    await expect(rows.last()).toContainText('Reference');
    await expectAccessible(page);
    await series.getByRole('combobox', { name: 'Metric of the series' }).selectOption('Throughput');
    await expect(series.getByRole('figure')).toContainText('Throughput: No step in 7 runs');
    await page.setViewportSize(narrow);
    await openAllDetails(page);
    await expectNoSidewaysScroll(page);
    await series.getByRole('link', { name: 'Compare with the reference' }).click();
    await expect(page).toHaveURL(`${dashboard.url}/c/${idOf(0)}..${idOf(6)}`);
  } finally {
    await dashboard.dispose();
  }
});
