/** Protects the bill of a traffic: it follows what is filled in, its address keeps it, and it is taken from a file that stays in the browser. */
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('a bill follows the traffic by the prices of the example', async ({ dashboard, page }) => {
  await page.goto(`${dashboard.url}/lab`);
  await page.getByRole('link', { name: 'Bill', exact: true }).click();
  await expect(page.getByRole('link', { name: 'example' })).toBeVisible();
  const verdict = page.getByTestId('bill-verdict');
  await expect(verdict).toContainText('At 1,000 requests per second, HTTPS needs');
  await page.getByLabel('Requests per second').fill('200,000');
  await expect(verdict).toContainText('At 200,000 requests per second');
  await expect(page.getByTestId('limits')).toContainText('Network.');
  await page.getByLabel('Response sizes').fill('2 kB 80%');
  await expect(page.getByText('shares that add up to 100%')).toBeVisible();
  await page.getByLabel('Response sizes').fill('5 MB');
  await expect(page.getByText('The largest body of the list has 1 MB.')).toBeVisible();

  const entries = [1, 2, 3].map((nth) => ({ connection: '1', response: { bodySize: 1000 * nth } }));
  const har = {
    name: 'a.har',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ log: { entries } })),
  };
  await page.getByLabel('Traffic of a HAR').setInputFiles(har);
  await expect(page.getByLabel('Requests per connection')).toHaveValue('3');
  // A HAR does not know how much traffic there is, so somebody is asked.
  await expect(page.getByLabel('Requests per second')).toHaveValue('');
  await page.getByLabel('Requests per second').fill('500');
  await page.getByLabel('Resumed connections, %').fill('0');
  await expect(verdict).toContainText('At 500 requests per second');
  const said = (await verdict.textContent()) ?? '';
  await page.reload();
  await expect(verdict).toHaveText(said);

  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});
