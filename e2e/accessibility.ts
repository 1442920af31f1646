import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

export const colorSchemes = ['light', 'dark'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** Shows the page in a scheme and without transitions, whose half-way colors nobody reads. */
export async function show(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  // However short a transition is, it ends with a frame.
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Axe finds nothing serious or critical on the page as it stands once it has been opened. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /^Opening the page/ })).toHaveCount(0);
  const passes = await expectNothingGrave(axeOn(page));
  expect(passes, 'axe looked at the page').toBeGreaterThan(10);
}

/** Nor in the other scheme, which differs in its colors alone: only rules about them are asked again. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await show(page, 'light');
  await expectAccessible(page);
  await show(page, 'dark');
  const passes = await expectNothingGrave(axeOn(page).withRules(['color-contrast', 'link-in-text-block']));
  expect(passes, 'axe looked at colors').toBeGreaterThan(0);
}

/**
 * Passing checks are counted, not described: describing every element took most of the time. Legacy mode checks only the page, inside the
 * page: the other mode gathers frames in a separate tab for three times the CPU, and our pages have no frames.
 */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
}

/** How many rules found something to look at, all of it in order. */
async function expectNothingGrave(axe: AxeBuilder): Promise<number> {
  const { violations, passes } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    grave.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)}`)),
  ).toEqual([]);
  return passes.length;
}

/** Every drawing, on a canvas or not, has a name, a finding in words, and its numbers beside it as a table. */
export async function expectDescribedDrawings(page: Page): Promise<void> {
  await openAll(page, 'details[data-fold]');
  const figures = page.locator('figure');
  const drawingOf = (parent: Locator) => parent.locator('canvas, [role=img]:not(canvas)');
  await expect(drawingOf(figures).first()).toBeVisible();
  await expect(page.locator('canvas:not(figure canvas)'), 'every canvas is in a figure').toHaveCount(0);
  for (const figure of await figures.all()) {
    const drawing = drawingOf(figure);
    await expect(drawing, 'a figure has one drawing').toHaveCount(1);
    await expect(drawing).toHaveRole('img');
    await expect(drawing).toHaveAccessibleName(/\w{3,}/);
    await expect(figure.locator('figcaption')).toHaveText(/\w{3,}/);
    const showData = figure.locator('summary', { hasText: 'Show data' });
    await showData.click();
    await expect(figure.getByRole('table')).toBeVisible();
    expect(await figure.getByRole('row').count()).toBeGreaterThan(1);
    await showData.click();
  }
}

export const narrow = { width: 375, height: 720 };
/** Just wide enough for tables to stay tables. */
export const small = { width: 650, height: 720 };

/** Nothing makes the page wider than the window, once charts have followed its size, which they do a frame later. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  await expect
    .poll(() =>
      page.evaluate(() => ({
        wide: document.scrollingElement?.scrollWidth ?? 0,
        window: document.documentElement.clientWidth,
      })),
    )
    .toEqual({ wide: width, window: width });
}

/** Folds on the page of a measurement count for its width, too. */
export async function openAllDetails(page: Page): Promise<void> {
  await page.locator('article').first().waitFor();
  await openAll(page, 'article details');
}

async function openAll(page: Page, selector: string): Promise<void> {
  await page.locator(selector).evaluateAll((all) => {
    for (const details of all) details.setAttribute('open', '');
  });
}

/** A finished measurement in both schemes, its drawings, and on smaller screens with everything unfolded. @param drawn false for one without drawings */
export async function expectPresentable(page: Page, { drawn = true } = {}): Promise<void> {
  await expectAccessibleInBothSchemes(page);
  if (drawn) await expectDescribedDrawings(page);
  for (const size of [small, narrow]) {
    await page.setViewportSize(size);
    await openAllDetails(page);
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
}
