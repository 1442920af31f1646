/** Protects visits from the click that starts them to the first figures, and a secret in them that stays out of what is stored. The page of a result: golden-pages.test.ts. */
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('visits that type a secret are measured from the page of their scenario, and do not keep the value', async ({
  realDashboard: dashboard,
  page,
}) => {
  const value = 'travel lamp';
  const step = { line: null, page: 0 };
  const created = await page.request.post(`${dashboard.url}/api/v1/scenarios`, {
    headers: { origin: dashboard.url },
    data: {
      scenario: { name: 'Find a secret', steps: [{ name: 'Home', method: 'GET', path: '/' }] },
      origin: 'recording',
      actions: [
        { ...step, type: 'goto', url: '/search' },
        {
          ...step,
          type: 'fill',
          locator: [{ by: 'selector', selector: 'input[name=q]' }],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how an action writes a secret
          value: '${secret:word}',
        },
        { ...step, type: 'press', locator: null, key: 'Enter' },
      ],
    },
  });
  const { id } = (await created.json()) as { id: string };
  await page.goto(`${dashboard.url}/scenarios/${id}`);
  const measure = page.getByRole('button', { name: 'Measure in a browser' });
  await measure.click();
  await expect(page.getByLabel('Secret word'), 'a value is asked for').toBeFocused();
  await page.getByLabel('Secret word').fill(value);
  await measure.click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Measuring Find a secret in a browser');
  await expect(page).toHaveURL(/\/l\/[0-9A-Za-z]{22}$/);
  await expect(page.getByTestId('progress-text')).toHaveText(/^Round \d+ of 10/);
  await expect(page.getByTestId('phase')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByText('Incomplete', { exact: true })).toBeVisible();
  const stored = await (await page.request.get(`${page.url()}.json`)).text();
  expect(stored).toContain('secret:word');
  expect(stored).not.toContain(value);
});

test('visits of the storefront need one click, and the page follows them and asks for them again', async ({
  realDashboard: dashboard,
  page,
}) => {
  await page.goto(`${dashboard.url}/lab/visits`);
  await expectAccessible(page);
  await page.getByLabel('Rounds').fill('7');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(page.getByTestId('now')).toHaveText(/^Now: (first|second) visit over HTTP/);
  await expect(page.getByTestId('live-medians')).toContainText('Load, first visit');
  await expect(page.locator('canvas')).toBeVisible();
  await expectAccessible(page);
  const permalink = page.url();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByText('Incomplete', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Change settings' }).click();
  await expect(page.getByLabel('Rounds')).toHaveValue('7');
  await page.goto(permalink);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(permalink);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Waiting to measure|Measuring) Search/);
});
