/** Protects use by keyboard alone: the focus is always seen, and never lost. */
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { addressField, fillInOrigins, launchButton } from './launch.ts';
import { conclusionOf } from './observe-storefront-run.ts';
import { keepFocusDiary } from './page-diary.ts';
import { slowDown } from './slow-down.ts';

test('the storefront flow works by keyboard alone, with a focus that is seen and never lost, however slow', async ({
  dashboard,
  page,
}) => {
  await slowDown(page);
  const readFocusDiary = await keepFocusDiary(page);
  await page.goto(dashboard.url);
  await launchButton(page).waitFor();
  await tabTo(page, /^Start run/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Measuring/ })).toBeFocused();

  // A button that goes away with the end of the run has the focus then.
  await tabTo(page, 'Cancel the run');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel the run' })).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel and keep' })).toBeFocused();
  await page.keyboard.press('Enter');
  await conclusionOf(page).waitFor();
  await expect(conclusionOf(page)).toBeFocused();
  await tabTo(page, 'Copy link');
  expectNeverLost(await readFocusDiary());
});

test('no button, link or way back loses the focus while the server takes its time', async ({
  storedRun,
  origins,
  page,
}) => {
  await slowDown(page);
  const readFocusDiary = await keepFocusDiary(page);
  await page.goto(storedRun.url);
  await fillInOrigins(page, origins);
  const check = page.getByRole('button', { name: 'Check target' });
  await check.press('Enter');
  await expect(page.getByRole('region', { name: 'Check of the target' })).toBeVisible();
  await expect(check).toBeFocused();

  await page.getByRole('link', { name: 'import a scenario' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Scenarios' })).toBeFocused();
  await page.getByRole('link', { name: 'Write a scenario' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 }), 'nobody can use a heading').toHaveCSS(
    'outline-style',
    'none',
  );
  await page.locator('[aria-expanded=false]').first().press('Enter');
  await page.getByRole('button', { name: 'Add check' }).press('Enter');
  await page.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByRole('group', { name: 'Checks' })).toBeFocused();

  page.once('dialog', (dialog) => dialog.accept());
  await page.evaluate(() => history.back());
  await expect(page.getByRole('heading', { level: 1, name: 'Scenarios' })).toBeFocused();
  await page.evaluate(() => history.back());
  await expect(page.getByRole('heading', { level: 1, name: 'What does HTTPS cost' })).toBeFocused();
  expectNeverLost(await readFocusDiary());
});

/** From the first element that had it. */
function expectNeverLost(held: string[]): void {
  const sinceTheFirst = held.slice(held.findIndex((element) => element !== 'body'));
  expect(sinceTheFirst.length).toBeGreaterThan(5);
  expect(sinceTheFirst).not.toContain('body');
}

test('every stop of the keyboard on a finished run, as far as its chart, is seen', async ({
  storedRun,
  page,
}) => {
  await page.goto(storedRun.permalink);
  await conclusionOf(page).waitFor();
  await tabTo(page, 'Show data');
});

test('a term explains itself while it is pointed at or has the focus, until Escape', async ({
  storedRun,
  page,
}) => {
  await page.goto(storedRun.permalink);
  const term = page.getByRole('main').locator('button:has(+ [role="tooltip"])').first();
  const meaning = page.getByRole('main').getByRole('tooltip', { includeHidden: true }).first();
  await expect(term).toHaveAccessibleDescription(/\w/);
  await expect(meaning).toBeHidden();
  await term.focus();
  await expect(meaning).toBeInViewport({ ratio: 0.99 });
  await page.keyboard.press('Escape');
  await expect(meaning).toBeHidden();
  await expect(term).toBeFocused();

  await term.hover();
  await expect(meaning).toBeVisible();
  await meaning.hover();
  await expect(meaning, 'the pointer can move on to it').toBeVisible();
  await page.getByRole('heading', { name: 'Charts' }).hover();
  await expect(meaning).toBeHidden();
});

test('a row with the focus or the mouse shows its starts below the rows, and its explanation below its name', async ({
  storedRun,
  page,
}) => {
  await page.goto(storedRun.permalink);
  const row = page.getByTestId('metric-row-latency_p50');
  const line = page.getByTestId('selected-row');
  await expect(line).toBeHidden();
  const height = async () => (await page.getByTestId('delta-table').boundingBox())?.height;
  const before = await height();
  const name = row.getByRole('button', { name: 'Latency, median' });
  await name.focus();
  await expect(line).toContainText(/Latency, median.*start 1: [+−][\d.,]+ [µm]s, [+−][\d.]+ %/);
  await expect(line).toContainText('control: ');
  const lone = page.getByTestId('metric-row-cpu_lone');
  await lone.hover();
  await expect(line).toContainText('Server CPU per transaction with one user');
  expect(await height(), 'no row moves').toBe(before);

  const meaning = page.getByText('half of the transactions took longer');
  await expect(meaning).toBeHidden();
  await name.focus();
  await page.keyboard.press('Enter');
  await expect(meaning).toBeVisible();
  await expect(name).toHaveAttribute('aria-expanded', 'true');
  const [of, below] = [await row.boundingBox(), await meaning.boundingBox()];
  expect(below?.y, 'it covers none of the row').toBeGreaterThanOrEqual((of?.y ?? 0) + (of?.height ?? 0) - 1);
});

test('two keys open a page, and a question mark lists them, but never while somebody types or has turned them off', async ({
  storedRun,
  page,
}) => {
  await page.goto(storedRun.url);
  await page.getByRole('heading', { name: 'Your questions' }).waitFor();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const field = addressField(page);
  await field.pressSequentially('gr?');
  await expect(field).toHaveValue('gr?');
  const pill = page.getByRole('button', { name: 'Demo shop' });
  await pill.press('Space');
  for (const held of ['Control', 'Alt', 'Meta']) {
    await page.keyboard.press('g');
    await page.keyboard.press(`${held}+r`);
  }
  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  await expectAccessible(page);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(pill).toBeFocused();

  for (const [key, name] of [
    ['r', 'Results'],
    ['s', 'Scenarios'],
    ['l', 'Lab'],
    ['t', 'Studies'],
    ['d', 'Docs'],
    ['m', 'Measure'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  }

  await page.keyboard.press('?');
  await dialog.getByRole('checkbox', { name: 'Use shortcuts' }).press('Space');
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('heading', { name: 'Your questions' }).waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(dialog).toBeHidden();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(dialog).toBeVisible();
});

/** Presses Tab until the element with that name has the focus, and looks that each on the way shows it. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab');
    const { text, seen, html } = await page.evaluate(lookAtFocus);
    expect(seen, `focus on ${html} is seen`).toBe(true);
    if (typeof name === 'string' ? text === name : name.test(text)) return;
  }
  throw new Error(`Tab did not lead to "${name}".`);
}

/** A radio button may be drawn by its label; then the label shows the focus. */
function lookAtFocus(): { text: string; seen: boolean; html: string } {
  const element = document.activeElement;
  if (element === null || element === document.body) return { text: '', seen: false, html: 'nothing' };
  const shows = (candidate: Element | null) => {
    if (candidate === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    const { width, height } = candidate.getBoundingClientRect();
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && width > 4 && height > 4;
  };
  return {
    text: element.textContent?.trim() ?? '',
    seen: shows(element) || shows(element.closest('label')),
    html: element.outerHTML.slice(0, 120),
  };
}
