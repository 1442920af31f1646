import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { BrowserAction } from '../../../shared/browser-actions.ts';
import { checkExpectation, isExpectation } from './check-expectation.ts';
import { findElement } from './find-element.ts';

/** The pages of a replay by the numbers that the actions have for them. */
export type Pages = { context: BrowserContext; open: Map<number, Page> };

/** How long each of them may take. */
export type Patience = { actionMs: number; visitMs: number; expectationMs: number };
export const usualPatience: Patience = { actionMs: 10_000, visitMs: 30_000, expectationMs: 5_000 };

/** Rejects with Playwright's error when it cannot be done; false for an expectation that does not hold. */
export async function performAction(
  pages: Pages,
  action: BrowserAction,
  { actionMs, visitMs, expectationMs }: Patience = usualPatience,
): Promise<boolean> {
  const page = await pageOf(pages, action.page);
  const timeout = { timeout: actionMs };
  const visit = { timeout: visitMs };
  if (isExpectation(action)) return checkExpectation(page, action, expectationMs);
  switch (action.type) {
    case 'goto':
      if (!isOfTheWeb(action.url)) throw new Error('only addresses of http:// and https:// are opened');
      await page.goto(action.url, visit);
      break;
    case 'go_back':
      await page.goBack(visit);
      break;
    case 'go_forward':
      await page.goForward(visit);
      break;
    case 'reload':
      await page.reload(visit);
      break;
    case 'close_page':
      await page.close();
      break;
    case 'pause':
      await wait(action.durationMs);
      break;
    case 'viewport':
      await page.setViewportSize({ width: action.width, height: action.height });
      break;
    case 'press':
      if (action.locator === null) await page.keyboard.press(action.key);
      else await findElement(page, action.locator).press(action.key, timeout);
      break;
    case 'click': {
      const popup = action.opens === null ? null : page.waitForEvent('popup', timeout);
      const clicked = findElement(page, action.locator).click({
        ...timeout,
        button: action.button,
        clickCount: action.clicks,
      });
      const [opened] = await Promise.all([popup, clicked]);
      if (opened !== null && action.opens !== null) pages.open.set(action.opens, opened);
      break;
    }
    default:
      await actOn(page, action, timeout);
  }
  return true;
}

/** A file of this machine goes past every egress, and `javascript:` would be executed. */
function isOfTheWeb(url: string): boolean {
  return url === 'about:blank' || /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

type ElementAction = Extract<
  BrowserAction,
  { type: 'check' | 'uncheck' | 'hover' | 'focus' | 'fill' | 'type_text' | 'select_option' }
>;

async function actOn(page: Page, action: ElementAction, timeout: { timeout: number }): Promise<void> {
  const element = findElement(page, action.locator);
  switch (action.type) {
    case 'fill':
      return element.fill(action.value, timeout);
    case 'type_text':
      return element.pressSequentially(action.value, timeout);
    case 'select_option':
      await element.selectOption(action.options, timeout);
      return;
    default:
      return element[action.type](timeout);
  }
}

/** A page that no click opened is one that the test opened itself. */
async function pageOf({ context, open }: Pages, number: number): Promise<Page> {
  const known = open.get(number);
  if (known !== undefined) return known;
  const page = await context.newPage();
  open.set(number, page);
  return page;
}
