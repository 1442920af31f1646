/** Protects the page of every kind of result: accessible in both schemes, its drawings described, whole on small screens, and what each kind has of its own. */
import type { Locator, Page } from '@playwright/test';
import { sampleRun } from '../server/testing/sample-run.ts';
import { kindNames } from '../shared/measurement/kind-names.ts';
import {
  expectAccessibleInBothSchemes,
  expectNoSidewaysScroll,
  expectPresentable,
  narrow,
  openAllDetails,
} from './accessibility.ts';
import { countPages } from './count-pages.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeRun, variants } from './store-run.ts';

// The page of a run has tests of its own in looks.test.ts, an explanation stands on one below, and a list of prices draws nothing.
for (const kind of kindNames.filter((name) => !['comparison', 'explain', 'prices'].includes(name))) {
  test(`the page of ${kind} is for everybody, on any screen`, async ({ results, page }) => {
    await page.goto(results.pages[kind]);
    await expectHeadlineOfReport(page);
    await expectPresentable(page, { drawn: kind !== 'prices' });
  });
}

/** The heading, the line below it, and the tab of a result are those of its report. */
async function expectHeadlineOfReport(page: Page): Promise<void> {
  const report = await (await page.request.get(`${page.url()}.md`)).text();
  const [title = '', second = ''] = linesOfReport(report);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByTestId('second')).toHaveText(second);
  await expect(page).toHaveTitle(`${title} · ${second} · TLS Toll`);
}

function linesOfReport(report: string): string[] {
  return report.split('\n\n').map((line) => line.replace(/^# /, '').replace(/\\(.)/g, '$1'));
}

for (const kind of kindNames) {
  test(`the first screen of ${kind} answers its question and leads on`, async ({ results, page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(results.pages[kind]);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const report = await (await page.request.get(`${page.url()}.md`)).text();
    const [title = '', second = ''] = linesOfReport(report);
    const plain = (text: string) => text.replace(/\s+/g, ' ');
    await expect.poll(() => firstScreen(page)).toContain(plain(title));
    const text = await firstScreen(page);
    expect(text).toContain(plain(second));
    expect(`${title} ${second}`, 'in the unit').toMatch(/\d\s(µs|ms|kB|s\b)/);
    // The golden speed has no two ciphers to compare, and a list of prices is in units alone.
    if (kind !== 'speed' && kind !== 'prices') expect(text, 'in percent').toMatch(/[+−]\d[\d.,]*\s%/);
    if (kind !== 'speed') expect(text, 'with an interval').toMatch(/\d to [+−]?\d/);
    expect(text, 'how much was measured').toMatch(/\b\d+ (of \d+ )?\w+/);
    expect(text, 'the next step').toMatch(/(Run|Measure) again, \d+ /);
    await expectSizesOfType(page);
  });
}

test('the first screen says how many runs count, and why one does not', async ({ page }) => {
  const dashboard = await startDashboard({
    fill: (directory) => storeRun(directory, variants.pooled(sampleRun())),
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${dashboard.url}/results`);
  await page.getByRole('table', { name: 'Questions' }).getByRole('link').first().click();
  await page.getByTestId('verdict').waitFor();
  const text = await firstScreen(page);
  expect(text).toMatch(/3 of 4 runs of this question: \+[\d.]+ µs \(.*\), \+[\d.]+ % \(.*\)/);
  expect(text).toContain('1 left out: its baseline was 32 % more expensive');
  expect(text).toMatch(/at full load/);
  expect(text).toMatch(/Run again, /);
  await dashboard.dispose();
});

/** Texts whose first line is on the screen, in their order. */
function firstScreen(page: Page): Promise<string> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const [box] = range.getClientRects();
      if (box !== undefined && box.width > 1 && box.bottom <= window.innerHeight)
        texts.push(walker.currentNode.textContent ?? '');
    }
    return texts.join(' ').replace(/\s+/g, ' ');
  });
}

/** In pixels. */
const sizesOfType = [34, 22, 17, 15, 13];

/** Every text that is seen has one of five sizes. */
async function expectSizesOfType(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen = new Set<string>();
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent === null || walker.currentNode.textContent?.trim() === '' || !parent.checkVisibility())
        continue;
      seen.add(getComputedStyle(parent).fontSize);
    }
    return [...seen];
  });
  expect(found.map((size) => Number.parseFloat(size)).filter((size) => !sizesOfType.includes(size))).toEqual(
    [],
  );
}

test('sizes end in fitted lines, handshakes in a row for each cell, a mesh in its paths and shifts', async ({
  results: { pages },
  page,
}) => {
  await page.goto(pages.sizes);
  await expect(page.getByTestId('headline')).toHaveText(/HTTPS/);
  await expect(page.getByRole('table', { name: 'Fitted lines, time' }).getByRole('row')).toHaveCount(3);
  await page.goto(pages.handshakes);
  await expect(page.getByTestId('headline')).toHaveText(
    /^A full handshake costs [\d,.]+\sµs more CPU than a resumed one$/,
  );
  await expect(page.getByTestId('handshake-cells').getByRole('row').nth(1)).toBeVisible();
  await page.goto(pages.mesh);
  await expect(page.getByTestId('headline')).toHaveText(/^HAProxy with TLS costs .* more CPU per request$/);
  await expect(page.getByRole('table', { name: /compared with direct/ }).getByRole('row')).toHaveCount(1 + 3);
  await openAllDetails(page);
  await expect(
    page.getByRole('table', { name: /^CPU and latency per request/ }).getByRole('row'),
  ).toHaveCount(1 + 4);
});

test('visits end in a waterfall and a filmstrip, on paper and as text', async ({ results, page }) => {
  await page.goto(results.pages.visits);
  await expect(page.getByTestId('headline')).toHaveText(/^A first visit over HTTPS takes /);
  // The answer, two lines below it, and what to do next.
  await expect(page.getByTestId('evidence')).toContainText('6 rounds of six visits');
  await expect(page.getByText('Search on the demo shop')).toBeVisible();
  await expect(page.getByText(/TLS 1\.3/)).toBeVisible();
  await expect(page.getByTestId('quality')).toHaveText(/clean|noisy/);
  await expect(page.getByRole('group', { name: 'Share' })).toBeVisible();
  await expect(page.getByTestId('metric-row-cold-load').getByRole('img')).toHaveAccessibleName(
    /6 rounds and the interval/,
  );

  const waterfall = page.getByRole('img', { name: /^Waterfall of both sides/ });
  await expect(waterfall).toHaveAccessibleName(/\d+ TLS handshakes? with HTTPS/);
  const filmstrip = page.getByRole('img', { name: /^Filmstrip of both sides/ });
  const pictures = filmstrip.locator('img');
  expect(await pictures.count()).toBeGreaterThan(1);
  for (const picture of await pictures.all()) {
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  }
  await page.getByRole('button', { name: '/search', exact: true }).click();
  await expect(waterfall).toHaveAccessibleName(/\/search loaded in/);
  await page.getByRole('button', { name: 'Second visit', exact: true }).click();
  await expect(filmstrip).toHaveCount(0);
  await expect(waterfall.locator('[data-fill="cached"]').first()).toBeAttached();
  // Two, or three where many metrics say why they are uncertain.
  expect(countPages(await page.pdf({ format: 'A4', preferCSSPageSize: true }))).toBeLessThanOrEqual(3);
  const report = await (await page.request.get(`${results.pages.visits}.md`)).text();
  expect(report).toMatch(/## Page by page\n\n\| Page \| Visit \| Side \|/);
});

test('an explanation stands on the page of its run, arrow keys lead through its functions, and other tools read its stacks', async ({
  results: { pages },
  page,
}) => {
  const explainId = pages.explain.split('/').at(-1);
  await page.goto(`${pages.comparison}?explain=${explainId}`);
  const section = page.getByRole('region', { name: 'Where it goes' });
  await expect(section.getByTestId('explain-sentence')).toHaveText(
    /^(HTTPS costs .*\sµs (?:more|less) CPU per (?:request|transaction) · |Probably )/,
  );
  await expect(section.getByTestId('explain-agreement')).toHaveText(
    /^The run measured .* the groups add up to /,
  );
  const groups = section.getByTestId('explain-groups').getByRole('rowheader');
  await expect(groups.filter({ hasText: 'TLS record encryption' })).toHaveCount(1);
  await expect(groups.last()).toHaveText('The run measured');
  const chart = section.getByRole('group', { name: /^Functions over HTTPS/ });
  await chart.getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(chart.locator(':focus')).toHaveAttribute('aria-label', / µs, difference /);
  await expectFilled(chart, /^EVP_EncryptUpdate: /);
  await expectAccessibleInBothSchemes(page);
  await section.getByLabel('Side').selectOption('HTTP');
  await expect(
    section
      .getByRole('group', { name: /^Functions over HTTP,/ })
      .getByRole('button')
      .first(),
  ).toBeVisible();

  const file = await page.getByRole('link', { name: 'Download page' }).getAttribute('href');
  await section.getByRole('link', { name: 'Open the explanation' }).click();
  await expect(page).toHaveURL(/\/l\/[0-9A-Za-z]{22}$/);
  await page.setViewportSize(narrow);
  await openAllDetails(page);
  await expectNoSidewaysScroll(page);
  const folded = await page.request.get(`${page.url()}.folded`);
  expect(await folded.text()).toMatch(/;EVP_EncryptUpdate[^\n]* \d+ \d+\n/);
  await page.goto(new URL(file ?? '', pages.comparison).href);
  await expect(section.getByTestId('explain-sentence')).toBeVisible();
  await expect(chart.getByRole('button', { name: /^EVP_EncryptUpdate: / }).first()).toBeVisible();
});

/** Zooms, and looks at whether frames take all of the drawing. */
async function expectFilled(chart: Locator, name: RegExp): Promise<void> {
  const frame = chart.getByRole('button', { name }).first();
  await frame.focus();
  await frame.press('Enter');
  const [drawing, deepest] = await chart.evaluate((element) => {
    const bottoms = [...element.querySelectorAll('g.frame rect')].map(
      (rect) => rect.getBoundingClientRect().bottom,
    );
    return [element.querySelector('svg')?.getBoundingClientRect().bottom ?? 0, Math.max(...bottoms)];
  });
  expect(Math.abs(drawing - deepest)).toBeLessThan(2);
}
