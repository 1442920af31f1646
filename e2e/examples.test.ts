/** Protects what a newcomer sees before the first measurement: the example results and the studies. */
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('an empty dashboard leads to an example, which says what it is and where to measure the same', async ({
  dashboard,
  page,
}) => {
  await page.goto(dashboard.url);
  await page.getByRole('link', { name: 'example results' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Example results');
  const cards = page.getByRole('list', { name: 'Examples' }).getByRole('listitem');
  await expect(cards).toHaveCount(9);
  await expectAccessibleInBothSchemes(page);
  const { width, height } = page.viewportSize() ?? narrow;
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width, height });

  const first = cards.first().getByRole('link');
  const found = await first.innerText();
  await first.click();
  await expect(page.getByTestId('verdict')).toHaveText(found);
  await expect(page.getByText(/^Example, measured on .+, \d+ \w+ \d{4}\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare with…' })).toHaveCount(0);
  await expect(page.getByText('Every hour, night, or week')).toHaveCount(0);
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('link', { name: 'Change settings' }).click();
  await expect(page.getByRole('radio', { name: /^To quote/ })).toBeChecked();

  await page.goto(`${dashboard.url}/runs`);
  await expect(page.getByText('Nothing has been measured here yet.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'examples' })).toBeVisible();
});

test('the studies can be read before anything is measured, with columns that line up', async ({
  dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/studies`);
  for (const which of ['1997', '1998', '2003', '2005', '2011', 'today’s field']) {
    const claims = page.getByRole('table', { name: new RegExp(`^Claims of .*${which}$`) });
    await expect(claims.getByRole('link', { name: 'Example' }).first()).toBeVisible();
  }
  const outcomes = page.getByRole('columnheader', { name: 'Outcome' }).filter({ visible: true });
  await expect(outcomes).toHaveCount(7);
  const lefts = await Promise.all((await outcomes.all()).map(async (each) => (await each.boundingBox())?.x));
  expect(new Set(lefts.map((left) => Math.round(left ?? 0))).size).toBe(1);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
});
