/** Protects the comparison of two sweeps over sizes: it is part of the address, says what changed, and refuses other sizes. */

import type { AnyKind } from '../server/kinds/kind.ts';
import { sizes } from '../server/kinds/sizes/kind.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { sampleSizes } from '../server/testing/sample-sizes.ts';
import { storeEnded } from '../server/testing/store-ended.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';

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
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      // A kind of any request is a kind of every request to whoever only stores its documents.
      const kind = sizes as unknown as AnyKind<never>;
      for (const document of [now, ...others]) await storeEnded(database, kind, document);
      await database.close();
    },
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
    // The rest of the page is looked at where a sweep stands alone.
    await expectAccessibleInBothSchemes(page);
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
