/** Protects what is sent around of a run: its print, its messages, its picture, and its frame in a page of others. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { marked } from 'marked';
import { sampleRun } from '../server/testing/sample-run.ts';
import { headlineOfRun } from '../shared/words/headline.ts';
import { expectAccessible, expectNoSidewaysScroll, narrow, show } from './accessibility.ts';
import { countPages } from './count-pages.ts';
import { expect, test } from './fixtures.ts';
import { conclusionOf } from './observe-storefront-run.ts';

const sentence = headlineOfRun(sampleRun())?.title ?? '';

for (const scheme of ['light', 'dark'] as const) {
  test(`a run prints as two pages, from a ${scheme} screen`, async ({ storedRun, page }) => {
    await page.goto(storedRun.permalink);
    await conclusionOf(page).waitFor();
    await page.locator('#charts figure svg').first().waitFor();
    await show(page, scheme);
    for (const format of ['A4', 'Letter']) {
      expect(countPages(await page.pdf({ format })), format).toBe(2);
    }
    await page.emulateMedia({ media: 'print' });
    for (const part of ['#metrics', '#charts', '#fairness', '#method']) {
      await expect(page.locator(part)).toBeVisible();
    }
    await expect(page.getByText(storedRun.permalink, { exact: true })).toBeVisible();
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  });
}

/** Presses a button that copies, and reads what it copied, which begins with what is expected. */
async function copied(page: Page, name: string, start: string): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name }).click();
  await expect.poll(async () => (await read()).slice(0, start.length)).toBe(start);
  return read();
}

test('the verdict is copied in the markup of each tool, with its link, and renders as Markdown', async ({
  storedRun: { permalink, url },
  browser,
}) => {
  const context = await browser.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  await page.goto(permalink);
  await page.getByRole('button', { name: 'More ways to share' }).click();
  const markdown = await copied(page, 'Copy as Markdown', `### ${sentence}\n`);
  expect(markdown).toContain('| Server CPU per transaction at full load |');
  expect(markdown).toMatch(/│[·─├●┤]+/);
  expect(markdown).toContain(`[Result](<${permalink}>)`);
  const slack = await copied(page, 'Copy for Slack', `*${sentence}*\n`);
  expect(slack).toContain(permalink);
  // A plus would underline in Jira's markup.
  const jira = await copied(page, 'Copy for Jira', `h3. ${sentence.replaceAll('+', '\\+')}\n`);
  expect(jira).toContain(`[Result|${permalink}]`);

  // Rendered the way a pull request is: GitHub's dialect.
  await page.setContent(await marked.parse(markdown, { gfm: true }));
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(sentence);
  const cpu = page.getByRole('row', { name: /^Server CPU per transaction at full load/ });
  await expect(cpu.getByRole('cell')).toHaveCount(await page.getByRole('columnheader').count());
  await expect(cpu).toContainText(/\d µs[\s\S]*\+\d+[.\d]* %/);
  await expect(page.locator('pre code')).toHaveText(/^Server CPU.*│.*●/m);
  await expect(page.getByRole('link', { name: 'Result' })).toHaveAttribute('href', permalink);
  await context.close();
});

test('the picture is drawn: words in the colors of the page', async ({ storedRun: { permalink }, page }) => {
  await page.goto(`${permalink}/badge.svg`);
  const colors = await page.evaluate(async (address) => {
    const bitmap = await createImageBitmap(await (await fetch(address)).blob());
    const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    drawing?.drawImage(bitmap, 0, 0);
    const { data } = drawing?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] };
    const counts: Record<string, number> = {};
    for (let at = 0; at < data.length; at += 4) {
      const color = `${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`;
      counts[color] = (counts[color] ?? 0) + 1;
    }
    return { size: [bitmap.width, bitmap.height], counts };
  }, `${permalink}/og.png`);
  expect(colors.size).toEqual([1200, 630]);
  // Ink of the words, and the two transports.
  expect(colors.counts['27,31,36,255']).toBeGreaterThan(10_000);
  expect(colors.counts['0,114,178,255']).toBeGreaterThan(300);
  expect(colors.counts['213,94,0,255']).toBeGreaterThan(300);
});

test('a page of another site shows the result in a frame, and nothing else of this server', async ({
  storedRun: { permalink },
  page,
}) => {
  const wiki = createServer((request, response) => {
    const path = request.url === '/page' ? '' : '/embed';
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<title>Wiki</title><iframe title="Result" src="${permalink}${path}" width="700" height="400"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => wiki.listen(0, '127.0.0.1', resolve));
  const { port } = wiki.address() as AddressInfo;
  try {
    // Another site, as localhost and 127.0.0.1 are to a browser.
    await page.goto(`http://localhost:${port}/`);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText(sentence);
    await expect(frame.getByRole('listitem')).toHaveCount(3);
    await expect(frame.getByRole('link', { name: sentence })).toHaveAttribute('href', permalink);
    await page.goto(`http://localhost:${port}/page`);
    await expect(page.frameLocator('iframe').getByText(sentence)).toHaveCount(0);
  } finally {
    wiki.close();
    wiki.closeAllConnections();
  }
});

test('the frame is accessible in light and dark, and fits a phone', async ({
  storedRun: { permalink },
  page,
}) => {
  await page.goto(`${permalink}/embed`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});
