/** Protects the capacity page: the plan follows what is filled in, and its address keeps it. */
import {
  expectAccessibleInBothSchemes,
  expectDescribedDrawings,
  expectNoSidewaysScroll,
  narrow,
} from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('a plan follows what is filled in, and is remembered in the address', async ({ dashboard, page }) => {
  await page.goto(`${dashboard.url}/lab`);
  await page.getByRole('link', { name: 'Capacity' }).click();
  const verdict = page.getByTestId('capacity-verdict');
  await expect(verdict).toContainText('(1.44 → 1.60 cores)');
  await expect(page.getByText('5 of 6 figures are typical values')).toBeVisible();

  await page.getByLabel('Connections', { exact: true }).selectOption('One per request');
  await page.getByLabel('Sessions').selectOption('Never resumed');
  await page.getByText('Your own figures').click();
  await page.getByLabel('Full handshake, µs').fill('1,000');
  await expect(verdict).toContainText('Biggest saving: keep connections alive.');
  await page.getByRole('heading', { name: 'Step by step' }).click();
  await expect(page.getByText('2,000/s × 1,000 µs = 2 cores')).toBeVisible();
  await expect(page.getByTestId('capacity-changes').getByRole('row').nth(1)).toContainText(
    'Keep connections alive',
  );
  const said = (await verdict.textContent()) ?? '';
  await page.reload();
  await expect(verdict).toHaveText(said);

  const bill = page.getByTestId('bill-verdict');
  await page.getByLabel('GB of egress, $').fill('0');
  // 2,000 handshakes/s × 1,000 µs + 50 MB/s × 1 ns, at 70 % of a core: 2.93 cores × 730 hours.
  await expect(bill).toContainText('HTTPS costs $86.54 a month more than HTTP.');
  await page.getByLabel('vCPU-hour, $').fill('0');
  await expect(bill).toContainText('HTTPS and HTTP cost the same.');
  await page.reload();
  await expect(bill).toContainText('HTTPS and HTTP cost the same.');

  await page.getByLabel('Returning visitors, %').fill('150');
  await expect(page.getByText('A number from 0 to 100.')).toBeVisible();
  await page.getByLabel('Returning visitors, %').fill('50');
  await expectAccessibleInBothSchemes(page);
  await expectDescribedDrawings(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});
