/** Protects the numbers of every result's page: one key has one number, the sides give the difference beside them, and no number with a unit lacks a key. */
import type { Page } from '@playwright/test';
import { type Piece, readPieces } from '../server/testing/printed-figures.ts';
import { runVariants, sampleRun } from '../server/testing/sample-run.ts';
import { kindNames } from '../shared/measurement/kind-names.ts';
import { openAllDetails } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { conclusionOf } from './observe-storefront-run.ts';
import { startDashboard } from './start-dashboard.ts';
import { storeRun } from './store-run.ts';

/** Numbers with a unit that are set-up, or of studies of others. */
const settings: Record<string, RegExp[]> = {
  // Single windows of the machine, shares on the axis of a drawing, and what disturbed the run.
  comparison: [
    /^(?:Steal|Other programs|Readings discarded): .*/,
    /^[^:]*: [\d.]+ %$/,
    /took [\d.]+ % of the CPU|[\d.]+ % of the time was disturbed/g,
  ],
  distance: [/Each millisecond of round trip adds .*/],
  explain: [/[\d.]+ % more CPU while it was recorded.*?\)|At most [\d.]+ %|Counted without a recording: .*/g],
  handshakes: [/In 1997, .*/g],
  // The sentence over a bill is about its cores. What else it names is in the table below.
  prices: [/[\d.]+ m?s (?:more|less) per new connection/g],
  sizes: [
    /^Document size, bytes: .*|^\w+, fitted: .*|[\d.]+ ms to open/,
    /covers 75 % of requests, the thin bar 95 %|up to [\d.]+ kB/g,
  ],
  speed: [/^[^:]+: (?:Node makes|On every call).*/],
};

test('on the page of a run, in every chart and unit, and in its tooltips', async ({ storedRun, page }) => {
  await recordDrawnText(page);
  await page.goto(storedRun.permalink);
  await conclusionOf(page).waitFor();
  const pieces: Piece[] = [];
  for (const unit of ['µs', '%', '×']) {
    await choose(page, 'Unit', unit);
    for (const chart of await page.getByRole('group', { name: 'Chart' }).getByRole('radio').all()) {
      await chart.press('Space');
      await expect(page.locator('#charts figure').first()).toBeVisible();
      pieces.push(...(await piecesOfPage(page, `${unit}, ${await chart.getAttribute('value')}:`)));
      if (unit === '%') pieces.push(...(await tooltipsOf(page)));
    }
  }
  expectAgreement([...pieces, ...(await piecesOfFile(page))], 'comparison');
});

for (const variant of ['pooled', 'unclear'] as const) {
  test(`on the page of a run that is ${variant}`, async ({ page }) => {
    let id = '';
    const dashboard = await startDashboard({
      fill: async (directory) => {
        id = await storeRun(directory, runVariants(sampleRun())[variant]);
      },
    });
    await page.goto(`${dashboard.url}/r/${id}`);
    await conclusionOf(page).waitFor();
    expectAgreement(await piecesOfPage(page, ''), 'comparison');
    await dashboard.dispose();
  });
}

for (const kind of kindNames.filter((name) => name !== 'comparison')) {
  test(`on the page of ${kind}`, async ({ results, page }) => {
    await recordDrawnText(page);
    await page.goto(results.pages[kind]);
    await page.getByTestId('headline').waitFor();
    const pieces = [...(await piecesOfPage(page, '')), ...(await tooltipsOf(page))];
    expectAgreement([...pieces, ...(await piecesOfFile(page))], kind);
  });
}

/** Content of the file that is downloaded from a page. */
async function piecesOfFile(page: Page): Promise<Piece[]> {
  const file = await page.getByRole('link', { name: 'Download page' }).getAttribute('href');
  await page.goto(new URL(file ?? '', page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return piecesOfPage(page, 'file:');
}

function expectAgreement(pieces: readonly Piece[], kind: string): void {
  const { disagreements, keys } = readPieces(pieces, settings[kind]);
  expect([...new Set(disagreements.map((each) => each.replace(/(?:µs|%|×), /g, '')))]).toEqual([]);
  expect(keys, 'figures have keys').toBeGreaterThan(3);
}

async function choose(page: Page, group: string, name: string): Promise<void> {
  await page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true }).press('Space');
}

/** All of a page that is read or read out, with its folds open, but for forms, axes, set-up, the frames of a flame graph, and the requests of single visits. */
async function piecesOfPage(page: Page, place: string): Promise<Piece[]> {
  await openAllDetails(page);
  return page.locator('main').evaluate((main, prefix) => {
    const skipped =
      '[aria-hidden="true"], time, form, select, option, input, code, pre, svg *, #method, #server, #how-to-read, #about, #waterfall';
    const block =
      '[data-q], p, li, dt, dd, td, th, h1, h2, h3, summary, figcaption, caption, legend, label, button, div';
    const texts = new Map<Element, { text: string; parent: Element | null }>();
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const within = parent?.closest(block);
      // The name of a row may have a number in it, as may that of a setting.
      const isName = within?.matches('th') === true;
      if (parent == null || within == null || isName || parent.closest(skipped) !== null) continue;
      const known = texts.get(within);
      const apart = known === undefined || known.parent === parent ? '' : ' ';
      texts.set(within, { text: `${known?.text ?? ''}${apart}${node.textContent ?? ''}`, parent });
    }
    const placeOf = (element: Element) => {
      const caption = element.closest('table')?.querySelector('caption')?.textContent;
      return `${prefix} ${caption ?? element.closest('section[id]')?.id ?? 'page'}`;
    };
    const attributesOf = (element: Element) => {
      const label = element.closest<HTMLElement>('[data-label]')?.dataset.label;
      const caption = element.closest('table')?.querySelector('caption')?.textContent ?? '';
      const isFigure = element.closest('td')?.dataset.numeric === 'true';
      const isKeyed = element.closest('[data-q]') !== null;
      return {
        q: element.closest<HTMLElement>('[data-q]')?.dataset.q,
        of: element.closest<HTMLElement>('[data-q-of]')?.dataset.qOf,
        head: isFigure ? (isKeyed ? `${label}, ${caption}` : (label ?? '')) : undefined,
        place: placeOf(element),
      };
    };
    const labels = [...main.querySelectorAll('[aria-label]')]
      .filter((element) => element.closest(skipped) === null)
      .map((element) => ({
        ...attributesOf(element),
        ...{ q: undefined, head: undefined, text: element.getAttribute('aria-label') ?? '' },
      }));
    return [...texts]
      .map(([element, { text }]) => ({ ...attributesOf(element), text: text.replace(/\s+/g, ' ').trim() }))
      .concat(labels);
  }, place);
}

/** A tooltip stands on a canvas, where nothing but the drawing of its text is seen. */
async function recordDrawnText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Reflect.set(window, 'drawnTexts', drawn);
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function (text: string, ...rest) {
      drawn.push(text);
      return fillText.call(this, text, ...(rest as [number, number]));
    };
  });
}

const places = { across: 16, down: 5 };

/** Content of the tooltips of every chart, as a mouse finds them. */
async function tooltipsOf(page: Page): Promise<Piece[]> {
  const said = new Set<string>();
  for (const canvas of await page.locator('main canvas').all()) {
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    if (box === null) continue;
    for (let across = 1; across < places.across; across++) {
      for (let down = 1; down < places.down; down++) {
        await page.mouse.move(
          box.x + (box.width * across) / places.across,
          box.y + (box.height * down) / places.down,
        );
      }
      for (const text of await drawnTexts(page)) if (text.includes(': ')) said.add(text);
    }
  }
  return [...said].map((text) => ({ text, place: 'tooltip' }));
}

/** Since the last call, once the next frame is drawn. */
function drawnTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((done) =>
        requestAnimationFrame(() => done(Reflect.get(window, 'drawnTexts').splice(0))),
      ),
  );
}
