/** Protects questions on the launch form: from the choice to a result that names both sides, and back to the form. */
import type { Page } from '@playwright/test';
import { kTlsProblem } from '../server/targets/managed/find-servers.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow, show } from './accessibility.ts';
import { expect, fewestForInterval, test } from './fixtures.ts';
import { launch, launchButton, openOptions } from './launch.ts';
import { conclusionOf, readDocument } from './observe-storefront-run.ts';
import { startDashboard } from './start-dashboard.ts';

test('a question is picked and launched, its result names both sides, and Run again asks it again', async ({
  page,
}) => {
  const dashboard = await startDashboard({ pace: 0.02, plan: { epochs: fewestForInterval } });
  await page.goto(dashboard.url);
  await question(page).selectOption('tls-version');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
    'What does TLS 1.3 cost, compared with TLS 1.2?',
  );
  await expect(page.getByText(/^Options .*TLS 1\.2 → TLS 1\.3/)).toBeVisible();
  const id = await launch(page);
  await conclusionOf(page).waitFor();
  const { asked, sides } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(asked).toMatchObject({
    connectionPolicy: 'connection-per-transaction',
    sides: {
      baseline: { transport: 'https', tls: { version: 'TLSv1.2' } },
      comparison: { transport: 'https', tls: { version: 'TLSv1.3' } },
    },
  });
  expect(sides).toMatchObject({ baseline: { name: 'TLS 1.2' }, comparison: { name: 'TLS 1.3' } });
  const heads = page.getByTestId('delta-table').getByRole('columnheader');
  await expect(heads.filter({ hasText: 'TLS 1.2' })).toHaveCount(1);
  await expect(heads.filter({ hasText: 'TLS 1.3' })).toHaveCount(1);

  await page.goto(`${dashboard.url}/?again=${id}`);
  await expect(question(page)).toHaveValue('tls-version');
  await question(page).selectOption('https');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
    'What does HTTPS cost, compared with HTTP?',
  );
  await dashboard.dispose();
});

test('a question that the storefront cannot answer moves to a server, whose columns fit every screen', async ({
  dashboard,
  page,
}) => {
  await page.goto(dashboard.url);
  await question(page).selectOption('key');
  await expect(page.getByRole('button', { name: 'Start a server…' })).toHaveAttribute('aria-pressed', 'true');
  await openOptions(page);
  await page.getByText('Sides: ECDSA P-256 → RSA-2048').click();
  await expect(page.getByLabel('Certificate key, first side')).toHaveValue('P-256');
  await expect(page.getByLabel('TLS version, second side')).toHaveValue('');
  await page.getByLabel('Certificate key, second side').selectOption('Same as first side');
  await expect(page.getByText('Sides: identical (a noise check)')).toBeVisible();
  await expect(question(page)).toHaveValue('');
  await page.getByLabel('Certificate key, second side').selectOption('RSA-4096');
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);

  await question(page).selectOption('key');
  await page.getByRole('button', { name: 'Demo shop' }).press('Space');
  const cannot = 'the demo shop cannot answer it.';
  await expect(page.getByText(cannot)).toBeVisible();
  await launchButton(page).click();
  await expect(launchButton(page)).toHaveAccessibleDescription(new RegExp(cannot));
  await show(page, 'light');
  await expectAccessibleInBothSchemes(page);
});

test('kernel TLS on a kernel without it is refused with the reason, and nothing is queued', async ({
  dashboard,
  page,
}) => {
  const reason = kTlsProblem('nginx', { kTls: true });
  test.skip(reason === null, 'this kernel has TLS');
  await page.goto(dashboard.url);
  await question(page).selectOption('kernel-tls');
  await expect(page.getByText(reason ?? '')).toBeVisible();
  await expect(page.getByLabel('Document size')).toHaveValue('1000000');
  await launchButton(page).click();
  await expect(launchButton(page)).toHaveAccessibleDescription(reason ?? '');
  await expect(page).toHaveURL(`${dashboard.url}/`);
  const { measurements } = await (await fetch(`${dashboard.url}/api/v1/measurements`)).json();
  expect(measurements).toEqual([]);
});

/** One of the two choices in the title, which ask the same. */
function question(page: Page) {
  return page.getByLabel('Question, by what is measured');
}
