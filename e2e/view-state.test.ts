/** Protects the view of a run in the address: chart, metric and scale survive reload and Back, and links reach what is folded. */
import { expect, test } from './fixtures.ts';

test('chart, metric and scale are in the address, where reload and Back find them again', async ({
  storedRun: { permalink },
  page,
}) => {
  const chart = (name: string) => page.getByRole('group', { name: 'Chart' }).getByRole('radio', { name });
  const scale = (name: string) => page.getByRole('radio', { name, exact: true });
  const metric = page.getByRole('combobox', { name: 'Metric of the chart' });
  const query = () => new URL(page.url()).search;

  await page.goto(permalink);
  await expect(chart('Difference by start')).toBeChecked();
  expect(query(), 'defaults are left out').toBe('');

  await page.goto(`${permalink}?v=1&chart=load`);
  await expect(chart('Cost by load')).toBeChecked();
  await expect(page.getByRole('figure').first()).toContainText('Server CPU per transaction with HTTPS: ');
  await page.goto(permalink);

  await chart('Over time').press('Space');
  await expect.poll(query).toBe('?v=1&chart=pairs');
  await page.getByRole('radio', { name: 'Nothing discarded' }).press('Space');
  await expect.poll(query).toBe('?v=1&chart=pairs&windows=all');
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Disturbed samples discarded' })).toBeChecked();
  await metric.selectOption('latency_p50');
  await expect.poll(query).toBe('?v=1&m=latency_p50&chart=pairs');
  await chart('Percentiles').press('Space');
  await scale('Log').press('Space');
  await expect.poll(query).toBe('?v=1&m=latency_p50&chart=percentiles&y=log');

  await page.reload();
  await expect(chart('Percentiles')).toBeChecked();
  await expect(scale('Log')).toBeChecked();

  await page.goBack();
  await expect(scale('Linear')).toBeChecked();
  await page.goBack();
  await expect(chart('Over time')).toBeChecked();
  await expect(metric).toHaveValue('latency_p50');
  await page.goBack();
  await expect(metric).toHaveValue('cpu_at_load');
  await page.goBack();
  await expect(chart('Difference by start')).toBeChecked();
  expect(query()).toBe('');
});

test('rows and charts change their unit together, and the address contains it', async ({
  storedRun: { permalink },
  page,
}) => {
  const unit = (name: string) => page.getByRole('group', { name: 'Unit' }).getByRole('radio', { name });
  await page.goto(permalink);
  await expect(unit('%')).toBeChecked();
  await unit('µs').press('Space');
  await expect.poll(() => new URL(page.url()).search).toBe('?v=1&unit=us');
  await expect(page.getByTestId('metric-row-cpu_at_load').getByRole('img')).toBeVisible();
  await expect(page.getByTestId('metric-row-throughput').getByRole('img')).toHaveCount(0);
  await expect(page.getByRole('figure').first()).toContainText(/95\s% CI \+[\d.]+ to \+[\d.]+ µs/);
  await unit('×').press('Space');
  await expect(page.getByTestId('metric-row-throughput').getByRole('img')).toBeVisible();
  await page.reload();
  await expect(unit('×')).toBeChecked();
});

test('a section that is folded away opens for a link, and one of a report for the printer', async ({
  storedRun: { permalink },
  page,
}) => {
  const fairness = page.getByRole('table', { name: 'Both sides as measured' });
  const guide = page.getByRole('definition').filter({ hasText: 'One start of the server' });
  await page.goto(permalink);
  await expect(page.getByRole('heading', { name: 'Fairness' })).toBeVisible();
  await expect(fairness).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(fairness).toBeVisible();
  await expect(guide).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await expect(fairness).toBeHidden();

  await page.goto(`${permalink}#fairness`);
  await expect(fairness).toBeInViewport();
  await expect(guide).toBeHidden();
  await page.evaluate(() => {
    location.hash = 'how-to-read';
  });
  await expect(guide).toBeVisible();
});
