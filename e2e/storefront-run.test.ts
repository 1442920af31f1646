/** Protects the first run: one click ends in a verdict, and none is shown before the end. */
import { headlineOfRun } from '../shared/words/headline.ts';
import { colorSchemes, expectNoSidewaysScroll, narrow, openAllDetails, show } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { isEnd } from './follow-events.ts';
import { conclusionOf } from './observe-storefront-run.ts';

test('one click on an empty dashboard ends in a verdict', async ({
  storefrontRun: { document, diary, permalink },
  page,
}) => {
  const concluded = diary.find(({ conclusion }) => conclusion !== null);
  expect(document.state).toBe('finished');
  const { title, second } = headlineOfRun(document) ?? {};
  expect(title).toMatch(/^(HTTPS costs|Probably) /);
  expect(concluded?.conclusion?.replaceAll('\u00a0', ' ')).toBe(title);
  await page.goto(permalink);
  await expect(page.getByTestId('verdict')).toHaveText(title ?? 'a verdict');
  await expect(page.getByTestId('second')).toHaveText(second ?? 'both sides');
});

test('the page tells the phases of the transaction and of each step', async ({
  storefrontRun: { document, permalink },
  page,
}) => {
  await page.goto(`${permalink}#steps`);
  const figure = page.locator('#steps').getByRole('figure');
  await expect(figure.getByRole('img')).toHaveAccessibleName(/The longest part of a transaction/);
  await figure.getByText('Show data').click();
  const rows = page.getByTestId('phases').locator('tbody').getByRole('row');
  const median = rows.filter({ hasText: /^Transaction\s*Waiting for the first byte, median/ });
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

test('the progress bar never goes back, and its text counts the starts', async ({
  storefrontRun: { diary, document },
}) => {
  const percents = diary.flatMap(({ percent }) => percent ?? []);
  expect(new Set(percents).size).toBeGreaterThan(8);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));

  const measuring = diary.filter(({ phase }) => phase === 'Measuring');
  // Once all have ended, their number alone.
  const counts = measuring.map(({ progress }) =>
    /^(?:Start (\d+) of )?(\d+)(?: start|,)/.exec(progress ?? '')?.slice(1, 3),
  );
  expect(counts.length).toBeGreaterThan(5);
  for (const count of counts) {
    expect(count, 'the text while measuring').toBeDefined();
    expect(Number(count?.[0] ?? count?.[1])).toBeLessThanOrEqual(Number(count?.[1]));
  }
  expect(Number(counts.at(-1)?.[1])).toBeGreaterThan(document.launches.length / 2);
});

test('no verdict is in the page before the end', async ({ storefrontRun: { diary, events, document } }) => {
  const end = events.find(isEnd);
  expect(events.at(-1), 'nothing comes after the end').toBe(end);

  const ofRun = diary.filter(({ path }) => path.startsWith('/r/'));
  const live = ofRun.filter(({ atMs }) => atMs < (document.endedAt ?? 0));
  expect(live.length).toBeGreaterThan(20);
  expect(live.flatMap(({ conclusion, text }) => conclusion ?? verdictWords.exec(text) ?? [])).toEqual([]);

  const concluded = ofRun.find(({ conclusion }) => conclusion !== null);
  expect(verdictWords.test(concluded?.text ?? ''), 'the words looked for are those of a finished page').toBe(
    true,
  );
});

/** Words of every outcome, interval and refusal: no page may hold one of them while there is more to come. */
const verdictWords = /costs (more|less)|not certain yet|unclear|not available|95 % (interval|CI)/i;
