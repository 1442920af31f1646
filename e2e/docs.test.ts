/** Protects the documentation in the app: it leads from page to page, and everybody can read it on any screen. */
import type { Page } from '@playwright/test';
import { docPages } from '../shared/base/addresses.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('the documentation is read from the dashboard, page by page and section by section', async ({
  storedRun: { url },
  page,
}) => {
  await page.goto(url);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Quick start');
  await expect(title).toBeFocused();

  await page.getByRole('article').getByRole('link', { name: 'Explain the CPU', exact: true }).click();
  await expect(title).toHaveText('Explain the CPU');
  await page.goBack();
  const contents = page.getByRole('navigation', { name: 'Documentation' });
  await expect(contents.getByRole('list', { name: 'How to' }).getByRole('listitem')).toHaveCount(13);
  await contents.getByRole('link', { name: 'How it measures' }).click();
  await expect(page).toHaveURL(`${url}/docs/method`);
  await expect(page).toHaveTitle('How it measures · TLS Toll');
  await expect(title).toBeInViewport();
  const picture = page.getByRole('img', { name: /^Three starts of the server/ });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);

  await contents.getByRole('link', { name: 'Samples and starts' }).click();
  await expect(page).toHaveURL(`${url}/docs/method#samples-and-starts`);
  const section = page.getByRole('heading', { name: 'Samples and starts' });
  await expect(section).toBeInViewport();

  await page.reload();
  await expect(section).toBeInViewport();
  await page.goBack();
  await expect(title).toHaveText('How it measures');
  const neighbors = page.getByRole('navigation', { name: 'Previous and next page' });
  await neighbors.getByRole('link', { name: 'How exact it is' }).click();
  await expect(title).toHaveText('How exact it is');
  await neighbors.getByRole('link', { name: 'How it measures' }).click();
  await expect(title).toHaveText('How it measures');
});

test('on a phone, one group of pages is open', async ({ storedRun: { url }, page }) => {
  await page.setViewportSize(narrow);
  await page.goto(`${url}/docs/faq`);
  const contents = page.getByRole('navigation', { name: 'Documentation' });
  const shown = contents.getByRole('list');
  await expect(shown).toHaveCount(1);
  await expect(shown).toHaveAccessibleName('Help');
  await contents.getByText('Start', { exact: true }).click();
  await expect(shown).toHaveAccessibleName('Start');
  await contents.getByRole('link', { name: 'Quick start' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quick start');
});

test('a search finds sections of every page by keyboard, and reads them only when somebody searches', async ({
  storedRun: { url },
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.setViewportSize(narrow);
  await page.goto(`${url}/docs/share`);
  await sectionsOf(page).first().waitFor();
  const textsAsked = () => asked.filter((path) => path.endsWith('.md')).sort();
  expect(textsAsked()).toEqual(['/docs/share.md']);

  const search = page.getByRole('search', { name: 'Docs' });
  const field = search.getByRole('searchbox', { name: 'Search the docs' });
  const summary = search.getByRole('status').filter({ hasText: /section/ });
  await field.fill('HTTP plain serve');
  await expect(summary).toHaveText(/^\d+ sections|^The first 20 of \d+ sections/);
  expect(textsAsked()).toEqual(docPages.map(({ page: name }) => `/docs/${name}.md`).sort());
  const links = search.getByRole('link');
  await expect(links.first()).toHaveText(/^Serve plain HTTP next to HTTPS/);
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothSchemes(page);
  await field.fill('cpu');
  await expect(links.filter({ hasText: 'Where CPU comes from' }).first()).toBeVisible();
  const cutOff = search
    .getByRole('list')
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(await cutOff, 'long words are broken').toBe(0);
  await field.fill('HTTP plain serve');

  await field.press('ArrowDown');
  await expect(links.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/docs/plain-http`);
  await expect(page.getByRole('heading', { name: 'Serve plain HTTP next to HTTPS' })).toBeFocused();
  await expect(links).toHaveCount(0);

  await field.fill('handshake zzz');
  await expect(summary).toHaveText(/^No section of the docs has all of these words\. Try/);
  await field.press('Escape');
  await expect(field).toHaveValue('');
  await expect(summary).toBeHidden();
  await field.fill('samples starts');
  await search.getByRole('link', { name: /^How it measures › Samples and starts/ }).click();
  await expect(page).toHaveURL(`${url}/docs/method#samples-and-starts`);
  const section = page.getByRole('heading', { name: 'Samples and starts' });
  await expect(section).toBeInViewport();
  await expect(section.getByRole('link')).toBeFocused();
});

test('a page that the documentation does not have is missing', async ({ storedRun: { url }, page }) => {
  const answer = await page.goto(`${url}/docs/nowhere`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is nothing at this address');
});

/** Between them they hold all that a text can hold. */
const samples = ['scenarios', 'figures'] as const;

test('axe finds nothing serious in the documentation, light and dark', async ({
  storedRun: { url },
  page,
}) => {
  for (const name of samples) {
    await page.goto(`${url}/docs/${name}`);
    await sectionsOf(page).first().waitFor();
    await expectAccessibleInBothSchemes(page);
  }
});

test('375 px hold every page of the documentation', async ({ storedRun: { url }, page }) => {
  await page.setViewportSize(narrow);
  for (const { page: name, title } of docPages) {
    await page.goto(`${url}/docs/${name}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await page.getByRole('article').getByRole('paragraph').first().waitFor();
    await expectNoSidewaysScroll(page);
  }
});

test('a table that is wider than the screen scrolls within itself, by keyboard too', async ({
  storedRun: { url },
  page,
}) => {
  await page.setViewportSize(narrow);
  await page.goto(`${url}/docs/figures`);
  const box = page.getByRole('region', { name: /^Table: Server, TLS 1.3 instead of 1.2/ });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => box.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
});

function sectionsOf(page: Page) {
  return page.getByRole('article').getByRole('heading', { level: 2 });
}

test('axe finds nothing serious in the API reference, which is below the navigation', async ({
  storedRun: { url },
  page,
}) => {
  await page.goto(`${url}/docs`);
  await page.getByRole('link', { name: 'API reference' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: /^GET .*\/scenarios\/.*\/export/ }).click();
  await expect(page.getByRole('combobox', { name: 'as' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await leaveOneOperationOfEachLook(page);
  await expectAccessibleInBothSchemes(page);
});

/** All operations are drawn by the same code, and axe would need a minute for them. */
async function leaveOneOperationOfEachLook(page: Page): Promise<void> {
  const left = await page.locator('.opblock').evaluateAll((operations) => {
    const looks = new Set<string>();
    for (const operation of operations) {
      if (looks.has(operation.className)) operation.remove();
      looks.add(operation.className);
    }
    return looks.size;
  });
  expect(left, 'each method, and the one that is open').toBeGreaterThan(4);
}
