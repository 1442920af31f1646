/** Protects visits of the storefront from one click to their charts: told while they go on, drawn, printed, saved, and asked for again. */
import type { Page } from '@playwright/test';
import { expectAccessible, expectPresentable } from './accessibility.ts';
import { countPages } from './count-pages.ts';
import { expect, test } from './fixtures.ts';

test('visits of the storefront need one click, tell what they do, and end in a waterfall and a filmstrip', async ({
  realDashboard: dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/lab/visits`);
  await expectAccessible(page);
  await page.getByLabel('Blocks').fill('6');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByTestId('now')).toHaveText(/^Now: (first|second) visit over HTTP/);
  await expect(page.getByTestId('live-medians')).toContainText('Load, first visit');
  await expect(page.locator('canvas')).toBeVisible();
  await expectAccessible(page);

  await expect(page.getByTestId('headline')).toHaveText(/95 % CI/);
  const permalink = page.url();
  await expectHierarchy(page);
  await expectCharts(page);
  // Two, or three where many metrics say why they are uncertain.
  expect(countPages(await page.pdf({ format: 'A4', preferCSSPageSize: true }))).toBeLessThanOrEqual(3);
  const report = await (await page.request.get(`${permalink}.md`)).text();
  expect(report).toMatch(/## Page by page\n\n\| Page \| Visit \| Side \|/);
  await expectPresentable(page);

  await page.getByRole('link', { name: 'Change settings' }).click();
  await expect(page.getByLabel('Blocks')).toHaveValue('6');
  await page.goto(permalink);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(permalink);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Waiting to measure|Measuring) Search/);
});

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
