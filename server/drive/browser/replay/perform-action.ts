import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import { actOnElement } from './act-on-element.ts';
import { checkExpectation, isExpectation } from './check-expectation.ts';
import { findElement } from './find-element.ts';
import { type Pages, type Patience, pageOf, usualPatience } from './pages.ts';

/** Rejects with Playwright's error when it cannot be done; false for an expectation that does not hold. */
export async function performAction(
  pages: Pages,
  action: BrowserAction,
  patience: Patience = usualPatience,
): Promise<boolean> {
  const page = await pageOf(pages, action.page);
  if (action.navigates !== true) return perform(pages, page, action, patience);
  const timeout = { timeout: patience.visitMs };
  const arrived = page.waitForEvent('framenavigated', {
    predicate: (frame) => frame === page.mainFrame(),
    ...timeout,
  });
  // A failed action is reported. What still waits for it may reject later, which must not end the process.
  arrived.catch(() => {});
  const held = await perform(pages, page, action, patience);
  await arrived;
  await page.waitForLoadState('load', timeout);
  return held;
}

async function perform(
  pages: Pages,
  page: Page,
  action: BrowserAction,
  { actionMs, visitMs, expectationMs }: Patience,
): Promise<boolean> {
  if (isExpectation(action)) return checkExpectation(page, action, expectationMs);
  switch (action.type) {
    case 'goto':
    case 'go_back':
    case 'go_forward':
    case 'reload':
      await visit(page, action, visitMs);
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
    case 'extra_headers':
      await pages.context.setExtraHTTPHeaders(Object.fromEntries(action.headers));
      break;
    case 'emulate_media': {
      const { line: _line, page: _page, type: _type, navigates: _navigates, ...media } = action;
      await page.emulateMedia(media as Parameters<Page['emulateMedia']>[0]);
      break;
    }
    case 'answer_dialog':
      pages.dialogs.add(action, action.every);
      break;
    case 'key_down':
      await page.keyboard.down(action.key);
      break;
    case 'key_up':
      await page.keyboard.up(action.key);
      break;
    case 'type_keys':
      await page.keyboard.type(action.value);
      break;
    case 'insert_text':
      await page.keyboard.insertText(action.value);
      break;
    case 'mouse_move':
    case 'mouse_down':
    case 'mouse_up':
    case 'mouse_click':
    case 'wheel':
      await moveMouse(page, action);
      break;
    case 'press':
      if (action.locator === null) await page.keyboard.press(action.key);
      else await findElement(page, action.locator).press(action.key, { timeout: actionMs });
      break;
    case 'scroll':
      if (action.locator === null) await page.evaluate(scrollTo, action);
      else await findElement(page, action.locator).evaluate(scrollElement, action, { timeout: actionMs });
      break;
    default:
      await actOnElement(pages, page, action, actionMs);
  }
  return true;
}

type Visit = Extract<BrowserAction, { type: 'goto' | 'go_back' | 'go_forward' | 'reload' }>;

async function visit(page: Page, action: Visit, timeout: number): Promise<void> {
  switch (action.type) {
    case 'goto': {
      if (!isOfTheWeb(action.url)) throw new Error('only addresses of http:// and https:// are opened');
      const referer = action.referer === undefined ? {} : { referer: action.referer };
      await page.goto(action.url, { timeout, ...referer });
      break;
    }
    case 'go_back':
      await page.goBack({ timeout });
      break;
    case 'go_forward':
      await page.goForward({ timeout });
      break;
    case 'reload':
      await page.reload({ timeout });
  }
}

/** A file of this machine goes past every egress, and `javascript:` would be executed. */
function isOfTheWeb(url: string): boolean {
  return url === 'about:blank' || /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

type Place = { x: number; y: number };

/** Runs in the page. */
function scrollTo({ x, y }: Place): void {
  globalThis.scroll(x, y);
}

/** Runs in the page. */
function scrollElement(element: Element, { x, y }: Place): void {
  element.scroll(x, y);
}

type MouseAction = Extract<BrowserAction, { type: `mouse_${string}` | 'wheel' }>;

/** Mouse moves, presses and wheel turns at coordinates of the page. */
async function moveMouse({ mouse }: Page, action: MouseAction): Promise<void> {
  switch (action.type) {
    case 'mouse_move':
      return mouse.move(action.x, action.y);
    case 'mouse_down':
      return mouse.down({ button: action.button, clickCount: action.clicks });
    case 'mouse_up':
      return mouse.up({ button: action.button, clickCount: action.clicks });
    case 'mouse_click':
      return mouse.click(action.x, action.y, { button: action.button, clickCount: action.clicks });
    case 'wheel':
      return mouse.wheel(action.deltaX, action.deltaY);
  }
}
