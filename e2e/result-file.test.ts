/** Protects results as files: whoever has nothing but the file sees the page, and nothing leaves it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { storeAnnotationChange } from '../server/life/database/insert-measurement.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { sampleRun } from '../server/testing/sample-run.ts';
import { headlineOfRun } from '../shared/words/headline.ts';
import { expectAccessible, expectNoSidewaysScroll, narrow, openAllDetails } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { conclusionOf } from './observe-storefront-run.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeRun } from './store-run.ts';

/** With the code of the page itself, about 550 kB. */
const mostBytes = 740_000;

const directories: string[] = [];
test.afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

/** Opens it from a disk in a fresh browser without a network. */
async function openFile(browser: Browser, bytes: Uint8Array) {
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-file-'));
  directories.push(directory);
  const path = join(directory, 'result.html');
  await writeFile(path, bytes);
  const context = await browser.newContext();
  await context.setOffline(true);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  const { href } = pathToFileURL(path);
  await page.goto(href);
  await page.locator('article').first().waitFor();
  return {
    page,
    async close() {
      expect(requests).toEqual([href]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  };
}

/** Words of the sections that page and file share, everything unfolded. */
async function wordsOf(page: Page): Promise<Record<string, string>> {
  await openAllDetails(page);
  const sections: Record<string, string> = {};
  for (const id of ['metrics', 'charts', 'steps', 'fairness', 'cache', 'errors', 'method', 'how-to-read']) {
    sections[id] = await page.locator(`#${id}`).innerText();
  }
  return sections;
}

const canvasOf = (page: Page) => page.locator('#charts canvas').first();

/** Number of colored pixels in a drawing. */
function inkOf(page: Page): Promise<number> {
  return canvasOf(page).evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    return Array.from(pixels).filter((value, index) => index % 4 === 3 && value > 0).length;
  });
}

test('a run from a copied link downloads as a file that opens without its server and without a network', async ({
  browser,
  context,
  page: sender,
}) => {
  let id = '';
  const annotation = { title: 'After the <b>upgrade</b>', note: 'Zeile 1\nשורה 2', tags: ['nightly'] };
  const dashboard = await startDashboard({
    fill: async (directory) => {
      id = await storeRun(directory);
      const database = await openDatabase({ directory, url: null });
      await storeAnnotationChange(database, id, annotation);
      await database.close();
    },
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: dashboard.url });
  await sender.goto(`${dashboard.url}/r/${id}`);
  await sender.getByRole('button', { name: 'Copy link' }).click();
  const copied = () => sender.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(`${dashboard.url}/r/${id}`);
  const recipient = await browser.newContext();
  const page = await recipient.newPage();
  await page.goto(await copied());
  const verdict = (await conclusionOf(page).textContent()) ?? '';
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download page' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`tls-toll-${id}.html`);
  const bytes = await readFile(await download.path());
  const online = await wordsOf(page);
  await recipient.close();
  await dashboard.dispose();
  expect(bytes.length).toBeLessThanOrEqual(mostBytes);

  const { page: file, close } = await openFile(browser, bytes);
  await expect(conclusionOf(file)).toHaveText(verdict);
  expect(await wordsOf(file)).toEqual(online);
  const written = file.getByRole('region', { name: 'Title, note, and tags' });
  for (const text of [annotation.title, ...annotation.tags])
    await expect(written.getByText(text)).toBeVisible();
  expect(await written.innerText()).toContain(annotation.note);
  await expect(file.locator('#about')).toContainText(sampleRun().environment.cpuModel);
  await expect(file.getByRole('link').and(file.locator(':not([href^="#"])'))).toHaveCount(0);
  await expect(file.getByRole('button', { name: /Run again|Delete|Measure the parts/ })).toHaveCount(0);

  for (const chart of ['Over time', 'Percentiles', 'CPU and memory']) {
    await file.getByRole('radio', { name: chart }).check();
    await expect.poll(() => inkOf(file), chart).toBeGreaterThan(500);
  }
  await expectAccessible(file);
  await file.setViewportSize(narrow);
  await expectNoSidewaysScroll(file);
  await close();
});

test('a chart in the file answers the pointer', async ({ browser, request, storedRun }) => {
  const bytes = await (await request.get(`${storedRun.permalink}.html`)).body();
  const { page, close } = await openFile(browser, bytes);
  await page.getByRole('radio', { name: 'Over time' }).check();
  await expect.poll(() => inkOf(page)).toBeGreaterThan(500);
  const picture = () => canvasOf(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await picture();
  await canvasOf(page).hover();
  await expect.poll(picture).not.toBe(before);
  await close();
});

test('the largest run still fits, and what people typed in it is text', async ({ browser, request }) => {
  const name = '</script><script>globalThis.executed = 1</script><img src=x onerror="executed=1"> \u2028 $&';
  const largest = sampleRun({ launches: 20, epochs: 4 });
  let id = '';
  const dashboard = await startDashboard({
    fill: async (directory) => {
      const scenario = { ...largest.scenario, name };
      id = await storeRun(directory, { ...largest, scenario });
    },
  });
  const bytes = await (await request.get(`${dashboard.url}/r/${id}.html`)).body();
  await dashboard.dispose();
  expect(bytes.length).toBeLessThanOrEqual(mostBytes);
  const { page, close } = await openFile(browser, bytes);
  await expect(page.getByText('</script><script>globalThis.executed').first()).toBeVisible();
  expect(await page.evaluate(() => 'executed' in globalThis)).toBe(false);
  await close();
});

test('without JavaScript the file still says what was found', async ({ browser, request, storedRun }) => {
  const bytes = await (await request.get(`${storedRun.permalink}.html`)).body();
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-file-'));
  directories.push(directory);
  await writeFile(join(directory, 'result.html'), bytes);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(directory, 'result.html')).href);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headlineOfRun(sampleRun())?.title ?? '');
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(3);
  await expect(page.getByText('need JavaScript')).toBeVisible();
  await context.close();
});

test('several results are downloaded as one file with a title page, from the list and from the questions', async ({
  browser,
  page,
}) => {
  const ids = ['', ''];
  const dashboard = await startDashboard({
    fill: async (directory) => {
      for (const place of ids.keys())
        ids[place] = await storeRun(directory, { createdAt: Date.now() - place });
    },
  });
  await page.goto(`${dashboard.url}/runs`);
  const boxes = page.getByRole('checkbox', { name: /^Select/ });
  await expect(boxes).toHaveCount(2);
  for (const box of await boxes.all()) await box.press('Space');
  await page.getByRole('button', { name: 'Download as one file' }).click();
  await page.getByLabel('Title').fill('For Example Ltd.');
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('tls-toll-report.html');
  const bytes = await readFile(await download.path());

  await page.goto(`${dashboard.url}/results`);
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .press('Space');
  await page.getByRole('button', { name: 'Download as one file' }).click();
  const [ofQuestion] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect((await readFile(await ofQuestion.path())).length).toBeLessThanOrEqual(mostBytes);
  await dashboard.dispose();

  const { page: file, close } = await openFile(browser, bytes);
  await expect(file.getByRole('heading', { level: 1, name: 'For Example Ltd.' })).toBeVisible();
  const list = file.getByRole('list', { name: 'Results' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText(
    /server CPU .* % at full load \(.*Quality: /,
  );
  await expect(file.locator('article')).toHaveCount(2);
  const verdict = headlineOfRun(sampleRun())?.title ?? '';
  await expect(file.locator('article').getByRole('heading', { level: 1, name: verdict })).toHaveCount(2);

  // Each result has a view of its own.
  const [first, second] = [file.locator('#result-1'), file.locator('#result-2')];
  await first.getByRole('radio', { name: 'Percentiles' }).check();
  await second.getByRole('radio', { name: 'Percentiles' }).check();
  await expect(first.getByRole('radio', { name: 'Percentiles' })).toBeChecked();
  await list.getByRole('link').nth(1).click();
  await expect(second).toBeInViewport();
  await openAllDetails(file);
  await expectAccessible(file);
  await file.emulateMedia({ media: 'print' });
  const starts = await second.evaluate((article) => getComputedStyle(article).breakBefore);
  expect(starts).toBe('page');
  await file.emulateMedia({ media: 'screen' });
  await file.setViewportSize(narrow);
  await expectNoSidewaysScroll(file);
  await close();
});

test('results of every other kind open from a file as well', async ({ browser, request, results }) => {
  const { comparison: _, ...others } = results.pages;
  for (const [kind, address] of Object.entries(others)) {
    const bytes = await (await request.get(`${address}.html`)).body();
    expect(bytes.length, kind).toBeLessThanOrEqual(mostBytes);
    const { page: file, close } = await openFile(browser, bytes);
    await expect(file.getByTestId('headline')).toHaveText(/\w{3,}/);
    await expect(file.getByRole('link').and(file.locator(':not([href^="#"])'))).toHaveCount(0);
    await file.setViewportSize(narrow);
    await openAllDetails(file);
    await expectNoSidewaysScroll(file);
    await close();
  }
});
