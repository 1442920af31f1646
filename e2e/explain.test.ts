/** Protects explanations of a run, from its page to a permalink: groups that are named, functions that the keyboard reaches, and stacks for other tools. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { explain } from '../server/kinds/explain/kind.ts';
import type { AnyKind } from '../server/kinds/kind.ts';
import { openDatabase } from '../server/life/database/open-database.ts';
import { storeEnded } from '../server/testing/store-ended.ts';
import { explainDocumentSchema } from '../shared/kinds/explain/explain.ts';
import { expectAccessibleInBothSchemes, expectNoSidewaysScroll, narrow } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startDashboard } from './start-dashboard.ts';

const hasPerf =
  spawnSync('perf', ['record', '-a', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true']).status === 0;
const installed = hasPerf && spawnSync('nginx', ['-v']).status === 0;

test('the form holds at 375 px, and says what a field takes', async ({ storedRun, page }) => {
  await page.goto(`${storedRun.url}/lab/explain`);
  await page.getByText('Server and load').click();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(narrow);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Launches').fill('1');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(page.getByText('A whole number from 3 to 30.')).toBeVisible();

  await page.getByText('A running server').click();
  await expect(page.getByLabel('Certificate key')).toHaveCount(0);
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(page.getByText('Give the HTTP address, such as http://127.0.0.1:8080.')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectNoSidewaysScroll(page);

  await page.getByText('A server to start').click();
  await page.getByText('Count instructions instead').click();
  await expect(page.getByLabel('Launches')).toHaveCount(0);
});

test('a name is text, whatever is in it', async ({ page }) => {
  const golden = new URL('../server/life/database/golden/explain-v1.json', import.meta.url);
  const document = explainDocumentSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));
  const name = '<img src=x onerror="document.title=1">';
  const named = document.stacks.comparison.map((each) => ({
    ...each,
    stack: `${name};${each.stack};${name}`,
  }));
  const dashboard = await startDashboard({
    fill: async (directory) => {
      const database = await openDatabase({ directory, url: null });
      const stored = { ...document, stacks: { ...document.stacks, comparison: named } };
      await storeEnded(database, explain as unknown as AnyKind<never>, stored);
      await database.close();
    },
  });
  try {
    await page.goto(`${dashboard.url}/l/${document.id}`);
    const chart = page.getByRole('group', { name: /^Functions over HTTPS/ });
    await expect(chart.getByRole('button', { name }).first()).toBeVisible();
    await page.locator('#functions').getByText('Show data').click();
    await expect(page.getByTestId('explain-functions')).toContainText(name);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  } finally {
    await dashboard.dispose();
  }
});

test('a run of nginx is explained on its page, and arrow keys lead through its functions', async ({
  realDashboard: { url },
  page,
}) => {
  test.skip(!installed, 'perf (linux-perf) or nginx is missing');
  const id = await measure(url, { kind: 'comparison', target: 'nginx' });
  await page.goto(`${url}/r/${id}`);
  const section = page.getByRole('region', { name: 'Where it goes' });
  await section.getByRole('button', { name: 'Explain' }).click();
  await expect(section.getByRole('progressbar')).toBeVisible();
  const finding = section.getByTestId('explain-sentence');
  await expect(finding).toHaveText(
    /^(HTTPS costs .*\sµs of CPU a request: |The cost of HTTPS is uncertain: )/,
  );
  await expect(page).toHaveURL(/[?&]explain=[0-9A-Za-z]{22}/);

  await page.reload();
  await expect(finding).toBeVisible();
  await expect(section.getByTestId('explain-agreement')).toHaveText(
    /^The run measured .* the groups add up to /,
  );
  const groups = section.getByTestId('explain-groups').getByRole('rowheader');
  await expect(groups.first()).toHaveText('TLS record encryption');
  await expect(groups.last()).toHaveText('The run measured');
  const chart = section.getByRole('group', { name: /^Functions over HTTPS/ });
  await expect(chart.getByRole('button', { name: /^EVP_EncryptUpdate: / }).first()).toBeVisible();
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
  const folded = await page.request.get(`${page.url()}.folded`);
  expect(await folded.text()).toMatch(/;EVP_EncryptUpdate[^\n]* \d+ \d+\n/);

  await page.goto(`${url}${file}`);
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

/** Resolves with the ID once it has finished. */
async function measure(url: string, request: object): Promise<string> {
  const created = await fetch(`${url}/api/v1/measurements`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify(request),
  });
  const { id } = (await created.json()) as { id: string };
  const events = await fetch(`${url}/api/v1/measurements/${id}/events`);
  expect(await events.text()).toContain('"state":"finished"');
  return id;
}
