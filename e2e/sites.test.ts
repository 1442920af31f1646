/** Protects runs at several sites: chosen in the form, shown in a column each, live, and linked to and from their runs. */
import { findPostgres, type PostgresCluster, startPostgres } from '../server/testing/postgres-cluster.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { launchButton, openOptions } from './launch.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

const bin = findPostgres();
let cluster: PostgresCluster;
let dashboards: Dashboard[];

test.skip(bin === null, 'Several sites need PostgreSQL, which is not installed.');
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  cluster = await startPostgres(bin ?? '');
  // Each measures as a runner does.
  const start = (site: string) =>
    startDashboard({
      ...{ pace: 0.3, plan: { maximumMs: 600 } },
      environment: { DATABASE_URL: cluster.url, TLS_TOLL_LABELS: `site=${site}`, CHROMIUM_PATH: '/nowhere' },
    });
  dashboards = await Promise.all([start('fra'), start('iad')]);
});
test.afterAll(async () => {
  await Promise.all(dashboards.map((each) => each.dispose()));
  await cluster.stop();
});

test('a run at two sites has one page with two columns, which its runs lead back to', async ({ page }) => {
  await page.goto(dashboards[0]?.url ?? '');
  await openOptions(page);
  await expect(page.getByTestId('machine')).toBeVisible();
  const field = page.getByRole('group', { name: 'Runner’s site' });
  for (const site of ['fra', 'iad']) await field.getByRole('checkbox', { name: site }).check();
  await expect(page.getByText('Starts 2 runs at once, one at each site.')).toBeVisible();
  await expect(page.getByTestId('machine'), 'other machines may measure').toHaveCount(0);
  await launchButton(page).click();
  await page.waitForURL(/\/b\/[0-9A-Za-z]{22}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/ at 2 sites$/);
  const sites = page.getByRole('list', { name: 'Sites' }).getByRole('listitem');
  await expect(sites).toHaveCount(2);
  await expect(sites.getByRole('heading')).toHaveText(['site=fra', 'site=iad']);

  const table = page.getByRole('table', { name: 'Main figures of each site' });
  await expect(page.getByText(/^Measured by /)).toHaveCount(2);
  await expect(table.getByRole('columnheader')).toHaveText(['Metric', 'site=fra', 'site=iad']);
  const cpu = table.getByRole('row', { name: /^Server CPU per transaction at full load/ });
  await expect(cpu.getByRole('cell').filter({ hasText: '%' })).toHaveCount(2);
  await expectAccessibleInBothSchemes(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);

  const address = page.url();
  await sites.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/r\//);
  await expect(page.getByText('One of 2 sites: site=fra, site=iad')).toBeVisible();
  await page.getByRole('link', { name: '2 sites' }).click();
  await expect(page).toHaveURL(address);
});
