/** Protects the page of a run under way: looked at, cut off from the network, and canceled at last. */
import type { Page } from '@playwright/test';
import {
  colorSchemes,
  expectAccessible,
  expectDescribedDrawings,
  expectNoSidewaysScroll,
  narrow,
  show,
} from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { type EventFollower, followEvents, isBlock, isEnd } from './follow-events.ts';
import { launch } from './launch.ts';
import { conclusionOf, readDocument } from './observe-storefront-run.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

/** One scripted run, minutes long, that goes on while it is looked at, loses its network and is canceled at last. */
test.describe.configure({ mode: 'serial' });

let dashboard: Dashboard;
let page: Page;
let id: string;
let events: EventFollower;

test.beforeAll(async ({ browser }) => {
  // Its blocks come every second or two, and it goes on until it is canceled.
  const plan = { epochs: { minimum: 500, maximum: 500 }, lockstepMs: 600, maximumMs: 1200, sampleMs: 400 };
  dashboard = await startDashboard({ pace: 0.5, plan });
  page = await (await browser.newContext()).newPage();
  await page.goto(dashboard.url);
  await page.getByRole('radio', { name: /^Fine/ }).press('Space');
  id = await launch(page);
  events = followEvents(dashboard.url, id);
  await events.until(isBlock);
  // The chart is loaded with the first block; a page that goes offline before has no chart, which is not the point here.
  await page.locator('canvas').waitFor();
});
test.afterAll(async () => {
  await page.context().close();
  await dashboard.dispose();
});

test('the page of a run under way is accessible and fits 375 px, in light and dark', async () => {
  await page.getByTestId('live-medians').waitFor();
  const viewport = page.viewportSize();
  for (const scheme of colorSchemes) {
    await show(page, scheme);
    await expectAccessible(page);
    await expectDescribedDrawings(page);
  }
  await page.setViewportSize(narrow);
  for (const scheme of colorSchemes) {
    await show(page, scheme);
    await expectNoSidewaysScroll(page);
  }
  if (viewport !== null) await page.setViewportSize(viewport);
  await expect(page.getByTestId('phase'), 'it was under way all the time').toContainText('Measuring');
  expect(events.heard.some(isEnd)).toBe(false);
});

test('the same page in eight more tabs shows what this one does: a browser lends a host six connections', async () => {
  const tabs = await Promise.all(Array.from({ length: 8 }, () => page.context().newPage()));
  for (const tab of tabs) await tab.goto(page.url());
  for (const tab of tabs) {
    await expect(tab.getByTestId('phase')).toContainText('Measuring');
    await expect.poll(() => blocksShown(tab)).toBeGreaterThan(0);
  }
  // Whichever of them listens for the others, those that stay go on.
  const known = await blocksShown(page);
  for (const tab of tabs.slice(0, 7)) await tab.close();
  await expect.poll(() => blocksShown(page)).toBeGreaterThan(known);
  await expect.poll(() => blocksShown(tabs[7] ?? page)).toBeGreaterThan(known);
  await tabs[7]?.close();
});

test('three seconds without a network are said, and nothing of the run is missed', async () => {
  const reconnecting = page.getByRole('status').filter({ hasText: 'Reconnecting' });
  await expect(reconnecting).toHaveCount(0);

  await page.context().setOffline(true);
  await expect(reconnecting).toBeVisible();
  const offlineAtMs = Date.now();
  // Some blocks may have been on their way to the page, and to this test, when the network went.
  const known = events.heard.filter(isBlock).length;
  await events.until(
    ({ atMs }) => atMs > offlineAtMs + 3_000 && events.heard.filter(isBlock).length > known + 3,
  );
  const doneMeanwhile = events.heard.filter(isBlock).length;
  expect(await blocksShown(page), 'the page hears nothing').toBeLessThan(doneMeanwhile);

  await page.context().setOffline(false);
  await expect(reconnecting).toHaveCount(0);
  await expect.poll(() => blocksShown(page)).toBeGreaterThanOrEqual(doneMeanwhile);
});

test('a run that is canceled and kept opens elsewhere as incomplete, with its blocks', async ({
  browser,
}) => {
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByTestId('state')).toHaveText('The run was canceled');
  expect((await events.until(isEnd)).event).toMatchObject({ state: 'incomplete' });
  const blocks = events.heard.filter(isBlock).length;
  await expect(page.getByTestId('blocks-count')).toHaveText(new RegExp(`^${blocks} parts`));

  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  await elsewhere.goto(`${dashboard.url}/r/${id}`);
  await expect(conclusionOf(elsewhere)).toHaveText('The run was canceled');
  await expect(elsewhere.getByText('Incomplete', { exact: true })).toBeVisible();
  await expect(elsewhere.getByTestId('blocks-count')).toHaveText(new RegExp(`^${blocks} parts`));
  await expect(elsewhere.getByTestId('verdict')).toHaveCount(0);
  const document = await readDocument(`${dashboard.url}/r/${id}`);
  expect(document).toMatchObject({ state: 'incomplete', verdict: null });
  expect(document.blocks).toHaveLength(blocks);
  await context.close();
});

async function blocksShown(page: Page): Promise<number> {
  const text = await page.getByTestId('counted-so-far').textContent();
  return Number(/^(\d+) part/.exec(text ?? '')?.[1] ?? Number.NaN);
}
