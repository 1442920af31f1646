/** Protects a sweep over sizes from its form to the first progress, and what two sweeps say when they are laid over each other. */
import { sampleSizes } from '../server/testing/sample-sizes.ts';
import { expectAccessible, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startAndCancel } from './launch.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeDocuments } from './store-run.ts';

test('sizes are swept on nginx from the form, which says what a field takes, and canceled', async ({
  results,
  page,
}) => {
  await page.goto(`${results.url}/lab/sizes`);
  await page.getByLabel('Document sizes, bytes').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Document sizes, bytes').fill('1000');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByText('2 to 200 different whole numbers')).toBeVisible();
  await page.getByLabel('Document sizes, bytes').fill('1000, 8000, 16000, 64000');
  await startAndCancel(page, 'Measure');
});

const now = sampleSizes();
const day = 24 * 3600 * 1000;
const others = [
  {
    ...sampleSizes({ secure: { offsetUs: 220, usPerByte: 0.0045, recordUs: 30 } }),
    id: '7slowSizes000000000000',
  },
  { ...sampleSizes({ request: { sizes: [1000, 8000, 16_000] } }), id: '7fewSizes0000000000000' },
].map((document, index) => ({ ...document, createdAt: now.createdAt - (index + 1) * day }));

test('two sweeps over sizes are laid over each other at an address', async ({ page }) => {
  const dashboard = await startDashboard({
    fill: (directory) => storeDocuments(directory, [now, ...others]),
  });
  try {
    await page.goto(`${dashboard.url}/r/${now.id}`);
    const choice = page.getByRole('combobox', { name: 'Sweep' });
    await choice.selectOption(others[0]?.id ?? '');
    await expect(page).toHaveURL(/\?with=7slowSizes/);
    await page.reload();
    const changes = page.getByRole('table', { name: 'Changes between the sweeps' });
    const offset = changes.getByRole('row', { name: /^HTTPS: Offset/ });
    await expect(offset).toContainText(/−1\d\d\.\d \(−/);
    await expect(offset.getByRole('cell').last()).toHaveText('yes');
    await expect(
      changes
        .getByRole('row', { name: /^HTTP: Offset/ })
        .getByRole('cell')
        .last(),
    ).toHaveText('no');
    await expectAccessible(page);
    await page.setViewportSize(narrow);
    await expectNoSidewaysScroll(page);
    await choice.selectOption(others[1]?.id ?? '');
    await expect(page.getByText('That sweep has other sizes.')).toBeVisible();
    // The address of a comparison leads to the overlay.
    await page.goto(`${dashboard.url}/c/${others[0]?.id}..${now.id}`);
    await expect(page).toHaveURL(`${dashboard.url}/r/${now.id}?with=${others[0]?.id}`);
    await expect(offset).toBeVisible();
  } finally {
    await dashboard.dispose();
  }
});
