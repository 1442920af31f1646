import { expect, type Locator, type Page } from '@playwright/test';
import { waitForRunPage } from './observe-storefront-run.ts';
import type { TwoOrigins } from './two-origins.ts';

/** Fills the launch form with two origins and the authority of the second. */
export async function fillInOrigins(page: Page, { http, https, ca }: TwoOrigins): Promise<void> {
  await addressField(page).fill(`${http} ${https}`);
  await openOptions(page);
  await page.getByText('Certificate, control, process').click();
  await page.getByLabel('Certificate authority (PEM)').fill(ca);
}

/** The one field. */
export function addressField(page: Page): Locator {
  return page.getByLabel('Paste an address, a curl command, or choose:');
}

export async function openOptions(page: Page): Promise<void> {
  await page.getByText(/^Options /).click();
}

/** The one primary button, which says how long the run takes. */
export function launchButton(page: Page): Locator {
  return page.getByRole('button', { name: /^(Start run|Trust and start)(, |$)/ });
}

/** Launches what the form says; the id of the run whose page is then shown. */
export async function launch(page: Page): Promise<string> {
  await launchButton(page).click();
  return waitForRunPage(page);
}

/** Starts what the form of a kind says, and cancels it once its page has told of progress. */
export async function startAndCancel(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await cancelUnderWay(page);
}

/** On the page of what is being measured, or is about to be. */
export async function cancelUnderWay(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/[rl]\/[0-9A-Za-z]{22}$/);
  await expect(page.getByTestId('progress-text')).toHaveText(/\d/);
  await page.getByRole('button', { name: /^Cancel the run/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel and keep' }).click();
  await expect(page.getByText(/^(Incomplete|Canceled)$/)).toBeVisible();
}
