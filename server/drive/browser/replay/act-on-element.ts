import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { BrowserAction, SelectedOption } from '../../../../shared/scenario/browser-actions.ts';
import type { Locator as RecordedLocator } from '../../../../shared/scenario/locator.ts';
import { changeValue } from './change-value.ts';
import { findElement } from './find-element.ts';
import type { Pages } from './pages.ts';

type ElementAction = Extract<
  BrowserAction,
  {
    type:
      | ('click' | 'check' | 'uncheck' | 'hover' | 'focus' | 'blur' | 'select_text' | 'scroll_into_view')
      | ('fill' | 'type_text' | 'change' | 'select_option' | 'drag' | 'dispatch_event');
  }
>;

/** Rejects with Playwright's error when it cannot be done in time. */
export async function actOnElement(
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
