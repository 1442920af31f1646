/** Protects the life of a scenario: imported, edited, tried on both sides, and launched in its revision. */
import { expect, type Page } from '@playwright/test';
import { revisionSchema } from '../shared/scenario/stored-scenario.ts';
import { type ColorScheme, expectAccessible, expectNoSidewaysScroll, narrow, show } from './accessibility.ts';
import { test } from './fixtures.ts';
import { addressField, launch, openOptions } from './launch.ts';
import { readDocument } from './observe-storefront-run.ts';

const pasted = `import { expect, test } from '@playwright/test';

test('Find a lamp', async ({ page, request }) => {
  await page.goto('http://127.0.0.1:8080/');
  await page.evaluate(() => localStorage.clear());
  await request.post('http://127.0.0.1:8080/search', { form: { q: 'travel lamp', category: '0' } });
});
`;

test('a pasted test becomes a scenario that is edited, tried on both sides, and launched in the revision that its run links to', async ({
  dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/scenarios`);
  await page.getByLabel('Or paste text').fill(pasted);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await expect(
    page.getByRole('heading', { name: 'Find a lamp: 2 steps from a Playwright test' }),
  ).toBeFocused();
  await expect(page.getByText(/^5\b.*evaluate/)).toBeVisible();
  await expectLooks(page, 'light');
  await page.getByRole('button', { name: 'Save scenario' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Find a lamp' })).toBeFocused();
  const post = page.locator('[aria-expanded]', { hasText: 'POST /search' });
  await post.press('Enter');
  await page.getByLabel('Step name').fill('Search');
  await page.getByLabel('Think time, ms').fill('soon');
  await expect(page.getByText('Enter a whole number from 0 to 60,000.')).toBeVisible();
  await expect(page.getByTestId('save')).toBeDisabled();
  await page.getByLabel('Think time, ms').fill('5');
  await page.getByRole('button', { name: 'Add check' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Search results');

  // The test was written for another place than the storefront.
  const dryRun = page.getByRole('region', { name: 'Dry run' });
  await expect(dryRun.getByLabel('HTTP origin')).toHaveValue('http://127.0.0.1:8080');
  await expect(dryRun.getByLabel('HTTPS origin')).toHaveValue('https://127.0.0.1:8443');
  await dryRun.getByLabel('Target', { exact: true }).selectOption('storefront');
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await expect(page.getByText('Both sides can be compared.')).toBeVisible();
  await expect(page.getByText('Same on both sides', { exact: true })).toHaveCount(2);
  await expectLooks(page, 'dark');

  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Results', exact: true }).click();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  const edited = page.url();
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
  await page.evaluate(() => history.back());
  await asked;
  await page.waitForURL(edited);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByTestId('save').press('Enter');
  await expect(page.getByText(/^Revision 2, \d/)).toBeVisible();
  await expect(page.getByTestId('save')).toBeFocused();
  await page.getByRole('link', { name: 'Run this scenario' }).click();
  await expect(addressField(page)).toHaveValue('http://127.0.0.1:8080');
  await openOptions(page);
  await expect(page.getByLabel('Scenario')).toHaveValue(/^[0-9A-Za-z]{22}$/);
  await page.getByRole('button', { name: 'Demo shop' }).press('Space');
  const id = await launch(page);
  await expect(page.getByRole('heading', { level: 1, name: /Find a lamp/ })).toBeVisible();

  const { scenario, revisionId } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(scenario.steps[1]).toMatchObject({
    name: 'Search',
    thinkTimeMs: 5,
    checks: [{ text: 'Search results' }],
  });
  const revision = revisionSchema.parse(await (await fetch(`${dashboard.url}/s/${revisionId}.json`)).json());
  expect(revision).toMatchObject({ number: 2, scenario: { steps: scenario.steps } });
  await page.goto(`${dashboard.url}/s/${revisionId}`);
  await expect(page.getByText('This page never changes.')).toBeVisible();
  await expectLooks(page, 'light');
});

async function expectLooks(page: Page, scheme: ColorScheme): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await show(page, scheme);
  await expectAccessible(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}
