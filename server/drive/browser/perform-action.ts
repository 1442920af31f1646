import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { BrowserAction, SelectedOption } from '../../../shared/scenario/browser-actions.ts';
import type { Locator as RecordedLocator } from '../../../shared/scenario/locator.ts';
import { checkExpectation, isExpectation } from './check-expectation.ts';
import { findElement, type Pages, type Patience, pageOf, usualPatience } from './pages.ts';

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

type ElementAction = Extract<
  BrowserAction,
  {
    type:
      | ('click' | 'check' | 'uncheck' | 'hover' | 'focus' | 'blur' | 'select_text' | 'scroll_into_view')
      | ('fill' | 'type_text' | 'change' | 'select_option' | 'drag' | 'dispatch_event');
  }
>;

/** Rejects with Playwright's error when it cannot be done in time. */
async function actOnElement(
  { open }: Pages,
  page: Page,
  action: ElementAction,
  actionMs: number,
): Promise<void> {
  const element = await findOneOf(page, [action.locator, ...(action.otherwise ?? [])], actionMs);
  const timeout = { timeout: actionMs };
  switch (action.type) {
    case 'click': {
      const popup = action.opens === null ? null : page.waitForEvent('popup', timeout);
      // The first error is reported. The other promise may still reject, which must not end the process.
      popup?.catch(() => {});
      const { button, clicks, holdMs } = action;
      const hold = holdMs === undefined ? {} : { delay: holdMs };
      const how = { button, clickCount: clicks, ...hold, ...(await pointerOf(element, action, actionMs)) };
      const [opened] = await Promise.all([popup, element.click({ ...timeout, ...how })]);
      if (opened !== null && action.opens !== null) open.set(action.opens, opened);
      return;
    }
    case 'check':
    case 'uncheck':
    case 'hover':
      return element[action.type]({ ...timeout, ...(await pointerOf(element, action, actionMs)) });
    case 'fill':
      return element.fill(action.value, { ...timeout, force: action.force === true });
    case 'type_text':
      return element.pressSequentially(action.value, timeout);
    case 'change':
      return changeValue(element, action.value, actionMs);
    case 'select_option':
      await element.selectOption(optionsOf(action.options), { ...timeout, force: action.force === true });
      return;
    case 'drag':
      return element.dragTo(findElement(page, action.target), {
        ...timeout,
        ...(action.from === undefined ? {} : { sourcePosition: action.from }),
        ...(action.to === undefined ? {} : { targetPosition: action.to }),
        force: action.force === true,
      });
    case 'dispatch_event':
      return element.dispatchEvent(action.event, undefined, timeout);
    case 'focus':
    case 'blur':
      return element[action.type](timeout);
    case 'select_text':
      return element.selectText(timeout);
    case 'scroll_into_view':
      return element.scrollIntoViewIfNeeded(timeout);
  }
}

const againMs = 100;

/** The first of these ways that finds something visible; the first of all when none does in time. */
async function findOneOf(
  page: Page,
  [first, ...others]: [RecordedLocator, ...RecordedLocator[]],
  patienceMs: number,
): Promise<Locator> {
  const element = findElement(page, first);
  if (others.length === 0) return element;
  const ways = [element, ...others.map((way) => findElement(page, way))];
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    // A page that navigates answers with an error.
    for (const way of ways) if (await way.isVisible().catch(() => false)) return way;
    await wait(againMs);
  }
  return element;
}

type Pointer = Pick<Extract<ElementAction, { type: 'click' }>, 'modifiers' | 'position' | 'force'>;

/** A place that is not within the element, as it has another size here, is its middle. */
async function pointerOf(element: Locator, { modifiers = [], position, force }: Pointer, timeout: number) {
  const box = position === undefined ? null : await element.boundingBox({ timeout });
  const isInside =
    position !== undefined && box !== null && position.x <= box.width && position.y <= box.height;
  return { modifiers, force: force === true, ...(isInside ? { position } : {}) };
}

type Named = { value?: string; label?: string; index?: number };

/** Playwright takes texts or objects, not both; a text is a value or a label. */
function optionsOf(options: readonly SelectedOption[]): string[] | Named[] {
  const texts = options.filter((option) => typeof option === 'string');
  if (texts.length === options.length) return texts;
  return options.flatMap((option): Named[] =>
    typeof option === 'string' ? [{ value: option }, { label: option }] : [option as Named],
  );
}

/** Longer texts are set in one step, as Puppeteer does it. */
const mostTyped = 100;

/** Sets a field as a DevTools recording means it: a list by its value, a text by typing, others such as colors by setting them. */
async function changeValue(element: Locator, value: string, timeoutMs: number): Promise<void> {
  const timeout = { timeout: timeoutMs };
  switch (await element.evaluate(kindOf, null, timeout)) {
    case 'list':
      await element.selectOption({ value }, timeout);
      return;
    case 'text':
      if (value.length > mostTyped || value === '') return element.fill(value, timeout);
      await element.evaluate(empty, null, timeout);
      return element.pressSequentially(value, timeout);
    case 'other':
      await element.evaluate(setValue, value, timeout);
  }
}

/** Runs in the page. */
function kindOf(element: Element): 'list' | 'text' | 'other' {
  if (element instanceof HTMLSelectElement) return 'list';
  const typed = ['text', 'url', 'tel', 'search', 'password', 'number', 'email'];
  const isTyped = element instanceof HTMLInputElement ? typed.includes(element.type) : true;
  return isTyped ? 'text' : 'other';
}

/** Runs in the page. Without an event, as only the typing is one. */
function empty(element: Element): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.value = '';
  else element.textContent = '';
}

/** Runs in the page. */
function setValue(element: Element, value: string): void {
  (element as HTMLInputElement).focus();
  (element as HTMLInputElement).value = value;
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
}
