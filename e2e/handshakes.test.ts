/** Protects handshakes from their form to the first progress. The page of a result: golden-pages.test.ts. */
import { expectAccessible } from './accessibility.ts';
import { test } from './fixtures.ts';
import { startAndCancel } from './launch.ts';

test('a grid of one’s own is measured from the form, and canceled', async ({ results, page }) => {
  await page.goto(`${results.url}/lab/handshakes`);
  await page.getByRole('radio', { name: /^Custom grid/ }).check();
  await expectAccessible(page);
  await page.getByLabel('Connections per combination').fill('2000');
  await startAndCancel(page, 'Measure');
});
