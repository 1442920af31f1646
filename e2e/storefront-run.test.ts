import { colorSchemes, expectNoSidewaysScroll, narrow, openAllDetails, show } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { isEnd } from './follow-events.ts';
import { conclusionOf } from './observe-storefront-run.ts';

test('one click on an empty dashboard ends within 60 s in a verdict, or in a refusal that says why', async ({
  storefrontRun: { document, diary, clickedAtMs, permalink },
  page,
}) => {
  const concluded = diary.find(({ conclusion }) => conclusion !== null);
  expect((concluded?.atMs ?? Number.POSITIVE_INFINITY) - clickedAtMs).toBeLessThanOrEqual(60_000);
  await page.goto(permalink);
  const heading = conclusionOf(page);
  if (document.state === 'finished') {
    await expect(page.getByTestId('verdict')).toHaveText(document.verdict?.sentence ?? 'a verdict');
    expect(document.verdict?.sentence).toMatch(/HTTPS|No overhead|No verdict: /);
  } else {
    // The machine was too noisy: then that is the answer, and no verdict.
    expect(document.state).toBe('refused');
    expect(['too_disturbed', 'listeners_differ']).toContain(document.problem?.code);
    await expect(page.getByTestId('verdict')).toHaveCount(0);
    await expect(heading).toHaveText(document.problem?.title ?? 'a problem');
    await expect(page.getByText(document.problem?.detail ?? 'a detail')).toBeVisible();
    await expect(page.getByText(document.problem?.advice ?? 'an advice')).toBeVisible();
  }
  expect(concluded?.conclusion).toBe(await heading.textContent());
});

test('the page tells the phases of the transaction and of each step', async ({
  storefrontRun: { document, permalink },
  page,
}) => {
  await page.goto(permalink);
  const table = page.getByTestId('phases');
  if (document.phases === null) {
    // Every block was dropped: there is nothing to tell.
    await expect(table).toHaveCount(0);
    return;
  }
  const rows = table.locator('tbody').getByRole('row');
  const median = rows.filter({ hasText: /^Transaction\s*Until the first byte, median/ });
  await expect(median).toHaveCount(1);
  await expect(median.getByRole('cell').nth(2)).toHaveText(/\d (µs|ms)$/);
  for (const { name } of document.scenario.steps) {
    await expect(rows.filter({ hasText: new RegExp(`^${name}\\s*Whole, median`) })).toHaveCount(1);
  }
});

test('375 px hold its page, in light and dark', async ({ storefrontRun: { permalink }, page }) => {
  await page.setViewportSize(narrow);
  await page.goto(permalink);
  for (const scheme of colorSchemes) {
    await show(page, scheme);
    await conclusionOf(page).waitFor();
    await openAllDetails(page);
    await expectNoSidewaysScroll(page);
  }
});

test('the progress bar never goes back, and its text counts the blocks', async ({
  storefrontRun: { diary, document },
}) => {
  const percents = diary.flatMap(({ percent }) => percent ?? []);
  expect(new Set(percents).size).toBeGreaterThan(8);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));

  const measuring = diary.filter(({ phase }) => phase === 'Measuring');
  const counts = measuring.map(({ progress }) => /^(\d+) of (\d+) blocks/.exec(progress ?? '')?.slice(1, 3));
  expect(counts.length).toBeGreaterThan(5);
  for (const count of counts) {
    expect(count, 'the text while measuring').toBeDefined();
    expect(Number(count?.[0])).toBeLessThanOrEqual(Number(count?.[1]));
  }
  expect(Number(counts.at(-1)?.[0])).toBeGreaterThan(document.blocks.length / 2);
});

test('no verdict is in the page before the end, and it is there within 5 s of it', async ({
  storefrontRun: { diary, events, document },
}) => {
  const end = events.find(isEnd);
  expect(events.at(-1), 'nothing comes after the end').toBe(end);

  const ofRun = diary.filter(({ path }) => path.startsWith('/r/'));
  const live = ofRun.filter(({ atMs }) => atMs < (document.endedAt ?? 0));
  expect(live.length).toBeGreaterThan(20);
  expect(live.flatMap(({ conclusion, text }) => conclusion ?? verdictWords.exec(text) ?? [])).toEqual([]);

  const concluded = ofRun.find(({ conclusion }) => conclusion !== null);
  expect((concluded?.atMs ?? Number.POSITIVE_INFINITY) - (end?.atMs ?? 0)).toBeLessThanOrEqual(5_000);
  expect(verdictWords.test(concluded?.text ?? ''), 'the words looked for are those of a finished page').toBe(
    true,
  );
});

/** Words of every outcome, interval and refusal: no page may hold one of them while there is more to come. */
const verdictWords = /overhead|inconclusive|refused|95 % interval/i;
