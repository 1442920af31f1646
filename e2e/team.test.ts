/** Protects a dashboard that a team shares: signing in, what each role sees, and links that open without. */
import type { Browser, Page } from '@playwright/test';
import { withTeamAlone } from '../server/edge/team/team-alone.ts';
import { addUser } from '../server/testing/team-in-test.ts';
import type { Role } from '../shared/team/role.ts';
import { expectAccessibleInBothSchemes } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { launch } from './launch.ts';
import { type Dashboard, startDashboard } from './start-dashboard.ts';

const passwords = new Map<Role, string>();
const emailOf = (role: Role) => `${role}@example.com`;
let dashboard: Dashboard;

// In one worker, so on one dashboard.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  dashboard = await startDashboard({
    pace: 10,
    environment: { TLS_TOLL_SIGN_IN: 'on', CHROMIUM_PATH: '/nowhere' },
    fill: (directory) =>
      withTeamAlone({ directory, url: null }, async ({ users }) => {
        for (const role of ['reader', 'operator', 'admin'] as const) {
          passwords.set(role, (await addUser(users, { email: emailOf(role), role })).password);
        }
      }),
  });
});
test.afterAll(() => dashboard.dispose());

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A browser of its own, signed in at that path. */
async function open(browser: Browser, role: Role, path = '/'): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${dashboard.url}${path}`);
  await signIn(page, emailOf(role), passwords.get(role) ?? '');
  await expect(page.getByRole('link', { name: emailOf(role) })).toBeVisible();
  return page;
}

test('an operator launches, a reader watches, and a stranger follows the link', async ({ browser, page }) => {
  const operator = await open(browser, 'operator');
  const id = await launch(operator);

  const reader = await open(browser, 'reader', `/runs`);
  await expect(reader).toHaveURL(`${dashboard.url}/runs`);
  await reader.locator(`a[href="/r/${id}"]`).click();
  await expect(reader).toHaveURL(`${dashboard.url}/r/${id}`);
  await expect(reader.getByRole('progressbar')).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Cancel the run' })).toHaveCount(0);

  await page.goto(`${dashboard.url}/r/${id}`);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.goto(`${dashboard.url}/runs`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');

  await operator.getByRole('button', { name: 'Cancel the run' }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  for (const each of [operator, reader]) {
    await expect(each.getByTestId('state')).toBeVisible();
    await each.getByRole('button', { name: 'More ways to share' }).click();
    await expect(each.getByRole('group', { name: 'Download' })).toBeVisible();
  }
  await expect(operator.getByRole('button', { name: 'Title, note, and tags' })).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Title, note, and tags' })).toHaveCount(0);
  await page.goto(`${dashboard.url}/r/${id}`);
  await expect(page.getByRole('link', { name: 'Download page' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a reader finds nothing to start', async ({ browser }) => {
  const page = await open(browser, 'reader');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Start run/ })).toHaveCount(0);
  await page.goto(`${dashboard.url}/record`);
  await expect(page.getByText('This page needs the role operator.')).toBeVisible();
  await page.goto(`${dashboard.url}/scenarios`);
  await expect(page.getByRole('link', { name: 'Search' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Add a scenario' })).toHaveCount(0);
  await page.goto(`${dashboard.url}/account`);
  await expect(page.getByRole('heading', { name: 'Users' })).toHaveCount(0);
});

test('a wrong password is said, and signing out ends the session', async ({ page }) => {
  await page.goto(dashboard.url);
  await signIn(page, emailOf('admin'), 'a guess');
  await expect(page.getByRole('alert')).toContainText('Wrong email address or password');
  await signIn(page, emailOf('admin'), passwords.get('admin') ?? '');
  await expect(page.getByRole('link', { name: emailOf('admin') })).toBeVisible();
  await page.goto(`${dashboard.url}/account`);
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
});

test('an admin adds a colleague, who signs in with the password that was shown', async ({
  browser,
  page,
}) => {
  const admin = await open(browser, 'admin', '/account');
  await admin.getByLabel('Email address').fill('new@example.com');
  await admin.getByLabel('Role', { exact: true }).selectOption('operator');
  await admin.getByRole('button', { name: 'Add user' }).click();
  const made = admin.getByRole('status').filter({ hasText: 'Password of new@example.com' });
  const password = await made.getByText(/^[a-z2-9]{4}(-[a-z2-9]{4}){4}$/).innerText();
  await page.goto(dashboard.url);
  await signIn(page, 'new@example.com', password);
  await expect(page.getByRole('link', { name: 'new@example.com' })).toBeVisible();
  await admin
    .getByRole('row', { name: /new@example\.com/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(admin.getByRole('rowheader', { name: 'new@example.com' })).toHaveCount(0);
  await page.goto(`${dashboard.url}/runs`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
});

test('an operator makes an API key, which is shown once and can be deleted', async ({ browser, request }) => {
  const operator = await open(browser, 'operator', '/account');
  await operator.getByRole('textbox', { name: /^Key name/ }).fill('nightly build');
  await expect(operator.getByLabel('Role of the key').getByRole('option')).toHaveText(['reader', 'operator']);
  await operator.getByRole('button', { name: 'Create API key' }).click();
  const made = operator.getByRole('status').filter({ hasText: 'API key nightly build' });
  const key = await made.getByText(/^tt_/).innerText();
  const ask = () =>
    request.get(`${dashboard.url}/api/v1/limits`, { headers: { Authorization: `Bearer ${key}` } });
  expect((await ask()).status()).toBe(200);
  await operator.reload();
  const row = operator.getByRole('row', { name: /nightly build/ });
  await expect(row).toBeVisible();
  await expect(made).toHaveCount(0);
  await row.getByRole('button', { name: 'Delete' }).click();
  await operator.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  expect((await ask()).status()).toBe(401);
});

test('sign-in, account and audit log are accessible in light and dark, and fit a phone', async ({
  browser,
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(dashboard.url);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectToFit(page);
  const admin = await open(browser, 'admin', '/account');
  await admin.setViewportSize({ width: 375, height: 800 });
  await expect(admin.getByRole('rowheader', { name: emailOf('reader') })).toBeVisible();
  await expectAccessibleInBothSchemes(admin);
  await expectToFit(admin);
  await admin.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
  await expect(admin.getByRole('cell', { name: emailOf('admin') }).first()).toBeVisible();
  await expectAccessibleInBothSchemes(admin);
  await expectToFit(admin);
});

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
}
