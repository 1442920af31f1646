/** Protects runs of two origins: checked before the launch, and ended without a verdict when one fails. */
import { expect, test } from './fixtures.ts';
import { followEvents, isBlock, isEnd } from './follow-events.ts';
import { fillInOrigins, launch, launchButton } from './launch.ts';
import { readDocument } from './observe-storefront-run.ts';

/** More than a run has when its target breaks. */
const epochs = 50;
test.use({ plan: { epochs: { minimum: epochs, maximum: epochs } } });

test('a target that can be compared passes its check; one with a closed port is refused where the problem is', async ({
  storedRun,
  origins,
  page,
}) => {
  await page.goto(storedRun.url);
  await fillInOrigins(page, origins);
  const check = page.getByRole('button', { name: 'Check target' });
  const panel = page.getByRole('region', { name: 'Check of the target' });
  await check.click();
  await expect(panel).toContainText('Both sides can be compared.');
  await expect(launchButton(page)).toBeEnabled();

  await origins.closeHttps();
  await check.click();
  const cause = `Nothing is listening on ${new URL(origins.https).host}`;
  const connection = (side: string) =>
    panel
      .getByRole('region', { name: side, exact: true })
      .getByRole('listitem')
      .filter({ hasText: /^Connection/ });
  await expect(connection('HTTPS')).toContainText(`failed${cause}`);
  await expect(connection('HTTP')).toContainText('passed');
  await expect(launchButton(page)).toBeDisabled();
  await expect(launchButton(page)).toHaveAccessibleDescription(new RegExp(`^${cause}`));
});

test('another listener of the same server is offered as the twin, and checked as such once it is taken', async ({
  storedRun,
  origins,
  page,
}) => {
  await page.goto(storedRun.url);
  const twin = await origins.openTwin();
  await fillInOrigins(page, origins);
  const panel = page.getByRole('region', { name: 'Check of the target' });
  await page.getByRole('button', { name: 'Check target' }).click();
  await expect(panel).toContainText(`${new URL(twin).host} belongs to the same server.`);
  const use = panel.getByRole('button', { name: 'Use as control' });
  await use.click();
  await expect(page.getByLabel('Control address')).toHaveValue(twin);
  await expect(panel).toContainText('Both sides can be compared.');
  await expect(use).toHaveCount(0);
});

test('a target that begins to answer 500 over HTTPS ends the run with one counted group of errors, and no verdict', async ({
  realDashboard: dashboard,
  origins,
  page,
}) => {
  await page.goto(dashboard.url);
  await fillInOrigins(page, origins);
  const id = await launch(page);
  const events = followEvents(dashboard.url, id);
  await events.until(isBlock);
  origins.breakHttps();
  expect((await events.until(isEnd)).event, 'nobody had to cancel it').toMatchObject({ state: 'failed' });

  await expect(page.getByTestId('state')).toHaveText('The target returned errors');
  await expect(page.getByTestId('verdict')).toHaveCount(0);
  const groups = page.getByRole('table', { name: 'Errors by kind' }).locator('tbody').getByRole('row');
  await expect(groups).toHaveCount(1);
  await expect(groups).toContainText('Unexpected status');
  await expect(groups.getByRole('cell').first()).toHaveText('HTTPS');
  await expect(groups).toContainText('answered 500 instead of 200');
  const { errors, verdict, metrics, blocks } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(verdict).toBeNull();
  expect(metrics.filter(({ outcome }) => outcome !== 'refused')).toEqual([]);
  expect(blocks.length, 'it did not go on to its last block').toBeLessThan(2 * epochs);
  expect(errors[0]?.count).toBeGreaterThan(0);
  await expect(groups.getByRole('cell').last()).toHaveText(errors[0]?.count.toLocaleString('en') ?? '');
});
