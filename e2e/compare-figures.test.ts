/** Protects the comparison of two lab results: ticked in the list, compared figure by figure, and the link opens elsewhere. */
import { readFileSync } from 'node:fs';
import { handshakes } from '../server/kinds/handshakes/kind.ts';
import type { AnyKind } from '../server/kinds/kind.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { storeEnded } from '../server/testing/store-ended.ts';
import { type HandshakesDocument, handshakesDocumentSchema } from '../shared/kinds/handshakes/handshakes.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';

const golden = new URL('../server/life/database/golden/handshakes-v1.json', import.meta.url);
const first = handshakesDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));

/** Four times as dear in every cell, on another OpenSSL. */
const second: HandshakesDocument = {
  ...first,
  ...{ id: '7laterGrid000000000000', createdAt: first.createdAt + 1 },
  environment: { ...first.environment, openssl: '9.9.9' },
  cells: first.cells.map((cell) => {
    if (cell.status !== 'measured' || cell.ratio === null) return cell;
    const { center, lo, hi } = cell.ratio;
    return { ...cell, ratio: { center: center * 4, lo: lo * 4, hi: hi * 4 } };
  }),
};

test('two handshake measurements are ticked, compared, and opened in a fresh profile', async ({
  browser,
  page,
}) => {
  const dashboard = await startDashboard({
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      for (const document of [first, second]) {
        await storeEnded(database, handshakes as unknown as AnyKind<never>, document);
      }
      await database.close();
    },
  });
  try {
    await page.goto(`${dashboard.url}/runs`);
    const boxes = page.getByRole('region', { name: 'Results', exact: true }).getByRole('checkbox');
    await expect(boxes).toHaveCount(2);
    for (const box of await boxes.all()) await box.press('Space');
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await expect(page).toHaveURL(`${dashboard.url}/c/${first.id}..${second.id}`);
    const heading = /^(\d+) of \1 figures? changed, \1 up and 0 down$/;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.locator('#setup')).toContainText('9.9.9');
    const table = page.getByRole('table', { name: 'Every figure in both results, with its change' });
    await expect(table.getByRole('row').nth(1)).toContainText(/\+300\.0 %.*Costs more/);
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize(narrow);
    await expectNoSidewaysScroll(page);

    const context = await browser.newContext();
    const fresh = await context.newPage();
    await fresh.goto(page.url());
    await expect(fresh.getByRole('heading', { level: 1 })).toHaveText(heading);
    await context.close();
  } finally {
    await dashboard.dispose();
  }
});
