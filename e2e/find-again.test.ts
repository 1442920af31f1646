/** Protects finding a result again: what people write on it, search and filter, two at once, and the bin. */
import type { Page } from '@playwright/test';
import { sampleRun } from '../server/testing/sample-run.ts';
import { headlineOfRun } from '../shared/words/headline.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  expectNoSidewaysScroll,
  narrow,
} from './accessibility.ts';
import { test as base, expect } from './fixtures.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';
import { storeRun } from './store-run.ts';

const dayMs = 24 * 60 * 60_000;
const verdict = { metric: 'cpu_at_load', outcome: 'no_overhead' } as const;
const metrics = sampleRun().metrics.map((row) =>
  row.id === verdict.metric
    ? { ...row, outcome: verdict.outcome, ratio: { center: 1.01, lo: 0.99, hi: 1.03 } }
    : row,
);
const within = headlineOfRun({ ...sampleRun(), metrics, verdict })?.title ?? '';

/** A server with a run of yesterday and one of today, which this browser started, and one of somebody else. */
const test = base.extend<{ stored: Dashboard & { earlier: string; later: string; foreign: string } }>({
  async stored({ page }, use) {
    const ids = { earlier: '', later: '', foreign: '' };
    const now = Date.now();
    const dashboard = await startDashboard({
      fill: async (directory) => {
        ids.earlier = await storeRun(directory, {
          createdAt: new Date(now).setHours(0, 0, 0, 0) - dayMs / 2,
        });
        ids.later = await storeRun(directory, { createdAt: now - 1, metrics, verdict });
        ids.foreign = await storeRun(directory, { createdAt: now - 2 * dayMs });
      },
    });
    // Once: what the page forgets stays forgotten.
    await page.goto(`${dashboard.url}/favicon.svg`);
    await page.evaluate(
      (mine) => {
        for (const id of mine) localStorage.setItem(`tls-toll:delete-token:${id}`, 'token');
      },
      [ids.earlier, ids.later],
    );
    await use({ ...dashboard, ...ids });
    await dashboard.dispose();
  },
});

const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true });
const lines = (page: Page) => results(page).getByRole('listitem');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const tick = (page: Page, id: string) =>
  lines(page)
    .filter({ has: page.locator(`a[href="/r/${id}"]`) })
    .getByRole('checkbox')
    .press('Space');

test('a result gets a title, a note and tags where it stands, which stay text, and is found by them', async ({
  stored: { url, earlier, later },
  page,
}) => {
  page.on('dialog', () => {
    throw new Error('something in the annotation was executed');
  });
  await page.goto(`${url}/r/${earlier}`);
  const annotation = page.getByRole('region', { name: 'Title, note, and tags' });
  const more = page.getByRole('button', { name: 'More ways to share' });
  const form = page.getByRole('dialog', { name: 'Title, note, and tags' });
  const edit = async () => {
    await more.press('Enter');
    await page.getByRole('button', { name: 'Title, note, and tags' }).press('Enter');
  };
  await edit();
  await expect(form.getByLabel('Title')).toBeFocused();
  await form.getByLabel('Title').fill('After the upgrade');
  await form.getByLabel('Tags').fill('nightly, TLS 1.3');
  await form.getByLabel('Note').fill('שלום עולם\n<img src=x onerror="alert(1)">');
  await form.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(annotation.getByText('After the upgrade')).toBeVisible();
  await expect(more).toBeFocused();

  await page.reload();
  const note = annotation.getByText('<img src=x onerror="alert(1)">');
  await expect(note).toBeVisible();
  await expect(note).toHaveCSS('direction', 'rtl');
  await expect(annotation.locator('img')).toHaveCount(0);
  await expectAccessible(page);

  await edit();
  await form.getByLabel('Title').fill('x'.repeat(201));
  await form.getByLabel('Tags').fill('y'.repeat(41));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('a title has at most 200 characters')).toBeVisible();
  await expect(form.getByText('a tag has at most 40 characters')).toBeVisible();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(annotation.getByText('After the upgrade')).toBeVisible();

  await page.goto(`${url}/runs`);
  await expect(lines(page)).toHaveCount(3);
  await expect(results(page).getByRole('heading', { level: 2 })).toHaveText([
    'Today',
    'Yesterday',
    /^\w+day,? \d+ \w+ \d{4}$/,
  ]);
  await page.getByLabel('Search').fill('שלום upgrade');
  await expect(lines(page)).toHaveCount(1);
  await lines(page).getByRole('link', { name: 'After the upgrade' }).click();
  await expect(page).toHaveURL(new RegExp(`/r/${earlier}$`));
  await page.goBack();
  await expect(page.getByLabel('Search')).toHaveValue('שלום upgrade');
  await expect(lines(page)).toHaveCount(1);

  await page.getByLabel('Search').fill('');
  await page.getByLabel('Outcome').selectOption({ label: 'Within ±5 %' });
  await expect(page).toHaveURL(/\/runs\?verdict=no_overhead$/);
  const found = lines(page).getByRole('link', { name: within });
  await expect(found).toHaveAttribute('href', `/r/${later}`);
  await expect(lines(page)).toHaveCount(1);
  await page.getByLabel('Outcome').selectOption({ index: 0 });
  await page.getByRole('group', { name: 'Tag' }).getByRole('button', { name: 'nightly' }).press('Enter');
  await expect(page).toHaveURL(/\/runs\?tag=nightly$/);
  await page.reload();
  await expect(lines(page)).toHaveCount(1);
  await lines(page).getByRole('link', { name: 'TLS 1.3' }).click();
  await expect(page).toHaveURL(/\/runs\?tag=TLS\+1\.3$/);
  await page.getByLabel('Search').fill('nothing is called this');
  await page.getByRole('link', { name: 'show all results' }).click();
  await expect(lines(page)).toHaveCount(3);
});

test('a result is renamed in the list by the keyboard, and called as before when that is taken back', async ({
  stored: { url },
  page,
}) => {
  await page.goto(`${url}/runs`);
  const rename = (name: string) => page.getByRole('button', { name: `Rename ${name}`, exact: true });
  await rename(within).press('Enter');
  const title = lines(page).getByLabel('Title');
  await expect(title).toBeFocused();
  await title.fill('x'.repeat(201));
  await title.press('Enter');
  await expect(page.getByText('a title has at most 200 characters')).toBeVisible();
  await title.fill('<b>Base</b> line');
  await title.press('Enter');
  await expect(lines(page).getByRole('link', { name: '<b>Base</b> line' })).toBeVisible();
  await expect(rename('<b>Base</b> line')).toBeFocused();
  await expect(lines(page).first()).toContainText(within);

  await page.keyboard.press('Enter');
  await title.press('Escape');
  await expect(rename('<b>Base</b> line')).toBeFocused();
  await page.keyboard.press('Enter');
  await title.fill('');
  await title.press('Enter');
  await expect(lines(page).first().getByRole('link', { name: within })).toBeVisible();
});

test('two ticked results lead to their comparison, are deleted together, and come back', async ({
  stored: { url, earlier, later, foreign },
  page,
}) => {
  await page.goto(`${url}/runs`);
  const bar = page.getByRole('region', { name: 'Selected results' });
  await tick(page, foreign);
  await expect(bar).toContainText('1 result selected');
  await expect(bar).toContainText('in the browser that started them');
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await bar.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await expect(bar).toHaveCount(0);

  await tick(page, later);
  await expect(bar.getByRole('button', { name: 'Compare' })).toBeDisabled();
  await tick(page, earlier);
  const comparison = bar.getByRole('link', { name: 'Compare' });
  await expect(comparison).toHaveAttribute('href', `/c/${earlier}..${later}`);
  await comparison.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/c/${earlier}\\.\\.${later}$`));
  await expect(heading(page)).toContainText('HTTPS costs');
  await page.goBack();
  for (const id of [later, earlier]) await tick(page, id);

  await expectAccessibleInBothSchemes(page);
  const { width, height } = page.viewportSize() ?? narrow;
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width, height });

  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('status')).toContainText('2 results are in the bin.');
  await expect(lines(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(lines(page)).toHaveCount(3);

  for (const id of [earlier, later]) await tick(page, id);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('link', { name: 'Bin', exact: true }).click();
  const binned = page.getByRole('list', { name: 'Deleted results' }).getByRole('listitem');
  await expect(binned).toHaveCount(2);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await binned
    .filter({ has: page.locator(`a[href="/r/${later}"]`) })
    .getByRole('button', { name: /^Restore/ })
    .press('Enter');
  await expect(binned).toHaveCount(1);
  await binned.getByRole('button', { name: 'Delete for good' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('The bin is empty.')).toBeVisible();

  await page.goto(`${url}/r/${later}`);
  await expect(heading(page)).toHaveText(within);
  expect((await page.goto(`${url}/r/${earlier}`))?.status()).toBe(410);
  await expect(heading(page)).toHaveText('This run was deleted');
});

test('the link of what is in the bin says until when, to others too, and restores it where it was started', async ({
  stored: { url, later },
  page,
  browser,
}) => {
  const permalink = `${url}/r/${later}`;
  await page.goto(permalink);
  await page.getByRole('button', { name: 'More ways to share' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(heading(page)).toHaveText('This run is in the bin');

  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  expect((await elsewhere.goto(permalink))?.status()).toBe(410);
  await expect(heading(elsewhere)).toHaveText('This run is in the bin');
  await expect(elsewhere.getByText(/can be restored until \w+ \d+, \d{4}\./)).toBeVisible();
  await expect(elsewhere.getByRole('button', { name: 'Restore' })).toHaveCount(0);
  await context.close();

  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(heading(page)).toHaveText(within);
  expect((await page.goto(permalink))?.status()).toBe(200);
});
