/** Protects handshakes from form to permalink. */
import { expectAccessible, expectPresentable } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('a grid of one’s own is measured, and its page stands at a permalink with every cell', async ({
  storedRun,
  page,
  browser,
}) => {
  await page.goto(`${storedRun.url}/lab`);
  await page.getByRole('radio', { name: /^Custom grid/ }).check();
  await expectAccessible(page);
  await page.getByLabel('Connections per cell').fill('60');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page).toHaveURL(/\/l\/[0-9A-Za-z]{22}$/);
  await expect(page.getByTestId('headline')).toHaveText(
    /^A full handshake costs [\d,]+\sµs of CPU on both ends together \(TLS 1\.3, X25519, P-256\)/,
  );
  // P-256 with two groups, full and resumed, below the line of headings.
  await expect(page.getByTestId('handshake-cells').getByRole('row')).toHaveCount(1 + 4);
  await expect(page.getByTestId('handshake-cells')).toContainText('P-256, X25519MLKEM768');
  await expectPresentable(page);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByTestId('headline')).toHaveText(
    (await page.getByTestId('headline').textContent()) ?? '',
  );
  await elsewhere.context().close();
});
