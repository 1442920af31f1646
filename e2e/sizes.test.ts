/** Protects a sweep over sizes from its form to the permalink, and its page in both schemes and on small screens. */
import { expectAccessible, expectPresentable } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('sizes are swept on nginx, and the lines stand at a permalink', async ({ realDashboard, page }) => {
  await page.goto(`${realDashboard.url}/lab/sizes`);
  await page.getByLabel('Document sizes, bytes').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Document sizes, bytes').fill('1000');
  await page.getByRole('button', { name: 'Start sweep' }).click();
  await expect(page.getByText('2 to 200 different whole numbers')).toBeVisible();
  await page.getByLabel('Document sizes, bytes').fill('1000, 8000, 16000, 64000');
  await page.getByRole('textbox', { name: 'Rounds', exact: true }).fill('5');
  await page.getByRole('button', { name: 'Start sweep' }).click();
  await expect(page).toHaveURL(/\/r\/[0-9A-Za-z]{22}$/);
  await expect(page.getByTestId('headline')).toHaveText(/HTTPS/);
  await expect(page.getByRole('table', { name: 'Fitted lines, time' }).getByRole('row')).toHaveCount(3);
  await expectPresentable(page);
});
