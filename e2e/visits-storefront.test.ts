/** Protects visits of the storefront: one click starts them, the page follows them, and a result is drawn, printed, saved, and asked for again. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { AnyKind } from '../server/kinds/kind.ts';
import { visits } from '../server/kinds/visits/kind.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { storeEnded } from '../server/testing/store-ended.ts';
import { visitsDocumentSchema } from '../shared/kinds/visits/visits.ts';
import { expectAccessible, expectPresentable } from './accessibility.ts';
import { countPages } from './count-pages.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';

test('visits of the storefront need one click, and the page follows them and asks for them again', async ({
  realDashboard: dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/lab/visits`);
  await expectAccessible(page);
  await page.getByLabel('Blocks').fill('7');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByTestId('now')).toHaveText(/^Now: (first|second) visit over HTTP/);
  await expect(page.getByTestId('live-medians')).toContainText('Load, first visit');
  await expect(page.locator('canvas')).toBeVisible();
  await expectAccessible(page);
  const permalink = page.url();
  await page.getByRole('button', { name: 'Cancel the measurement' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByText('Incomplete', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Change settings' }).click();
  await expect(page.getByLabel('Blocks')).toHaveValue('7');
  await page.goto(permalink);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(permalink);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Waiting to measure|Measuring) Search/);
});

test('a result ends in a waterfall and a filmstrip, on screens of any size, on paper and as text', async ({
  page,
}) => {
  const document = storefrontVisits();
  const dashboard = await startDashboard({
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      await storeEnded(database, visits as unknown as AnyKind<never>, document);
      await database.close();
    },
  });
  const permalink = `${dashboard.url}/l/${document.id}`;
  try {
    await page.goto(permalink);
    await expect(page.getByTestId('headline')).toHaveText(/95\s% CI/);
    await expectHierarchy(page);
    await expectCharts(page);
    // Two, or three where many metrics say why they are uncertain.
    expect(countPages(await page.pdf({ format: 'A4', preferCSSPageSize: true }))).toBeLessThanOrEqual(3);
    const report = await (await page.request.get(`${permalink}.md`)).text();
    expect(report).toMatch(/## Page by page\n\n\| Page \| Visit \| Side \|/);
    await expectPresentable(page);
  } finally {
    await dashboard.dispose();
  }
});

/** The golden measurement, with a second page: that of a journey that goes on is drawn as well. */
function storefrontVisits() {
  const golden = new URL('../server/life/database/golden/visits-v1.json', import.meta.url);
  const document = visitsDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));
  const goOn = <Each extends { path: string }>(pages: Each[]) =>
    pages.push(...pages.map((page) => ({ ...page, path: '/search' })));
  for (const { cold, warm } of Object.values(document.waterfalls ?? {})) {
    goOn(cold);
    goOn(warm);
  }
  for (const film of Object.values(document.film ?? {})) goOn(film);
  return document;
}

/** The answer, two lines below it, and what to do next. */
async function expectHierarchy(page: Page): Promise<void> {
  await expect(page.getByTestId('evidence')).toContainText('6 blocks of six visits');
  await expect(page.getByText('Search on the built-in storefront')).toBeVisible();
  await expect(page.getByText(/TLS 1\.3/)).toBeVisible();
  await expect(page.getByTestId('quality')).toHaveText(/clean|noisy/);
  await expect(page.getByRole('group', { name: 'Share' })).toBeVisible();
  await expect(page.getByTestId('metric-row-cold-load').getByRole('img')).toHaveAccessibleName(
    /6 blocks and the interval/,
  );
}

async function expectCharts(page: Page): Promise<void> {
  const waterfall = page.getByRole('img', { name: /^Waterfall of both sides/ });
  await expect(waterfall).toHaveAccessibleName(/\d+ TLS handshakes? with HTTPS/);
  const filmstrip = page.getByRole('img', { name: /^Filmstrip of both sides/ });
  const pictures = filmstrip.locator('img');
  expect(await pictures.count()).toBeGreaterThan(1);
  for (const picture of await pictures.all()) {
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  }
  await page.getByRole('button', { name: '/search', exact: true }).click();
  await expect(waterfall).toHaveAccessibleName(/\/search loaded in/);
  await page.getByRole('button', { name: 'Second visit', exact: true }).click();
  await expect(filmstrip).toHaveCount(0);
  await expect(waterfall.locator('[data-fill="cached"]').first()).toBeAttached();
  await page.getByRole('button', { name: 'First visit', exact: true }).click();
}
