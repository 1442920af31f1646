/** Protects the probe page: the proof of resumption, and what is wrong with an address beside it. */
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('the resumption proof of a target stands on its screen, and what is wrong with an address beside it', async ({
  storedRun,
  origins,
  page,
}) => {
  await page.goto(`${storedRun.url}/lab`);
  await page.getByRole('link', { name: 'Probe' }).click();
  const probe = page.getByRole('button', { name: 'Probe' });
  await page.getByLabel('Target').fill('http://127.0.0.1:8080');
  await probe.click();
  await expect(page.getByText('url must start with https://')).toBeVisible();

  await page.getByLabel('Target').fill(origins.https);
  await page.getByText('Certificates', { exact: true }).click();
  await page.getByLabel('Certificate authority (PEM)').fill(origins.ca);
  await probe.click();
  await expect(page.getByTestId('probe-verdict')).toHaveText(
    'TLS 1.3 resumes with tickets: 5 of 5.TLS 1.2 resumes with tickets: 5 of 5.',
  );
  await expect(page.getByText(/^Trusted; for/)).toBeVisible();
  await expect(page.getByTestId('connections-TLSv1.3').getByRole('row')).toHaveCount(1 + 6);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);

  await page.getByLabel('Target').fill('https://169.254.169.254');
  await probe.click();
  await expect(page.getByRole('alert')).toContainText('a metadata address');
});
