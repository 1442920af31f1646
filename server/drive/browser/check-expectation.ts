import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { BrowserAction, ElementState } from '../../../shared/scenario/browser-actions.ts';
import type { TextMatch } from '../../../shared/scenario/locator.ts';
import { withinTime } from '../../base/process/children.ts';
import { compilePattern } from '../../intake/scenario/pattern.ts';
import { findElement } from './pages.ts';

export type Expectation = Extract<BrowserAction, { type: `expect_${string}` }>;

const againMs = 100;

export function isExpectation(action: BrowserAction): action is Expectation {
  return action.type.startsWith('expect_');
}

/** Looks again and again, as a page may be on its way. False when it does not hold in time. */
export async function checkExpectation(
  page: Page,
  expectation: Expectation,
  patienceMs: number,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  const isWanted = expectation.negated !== true;
  while (performance.now() < deadline) {
    if ((await withinTime(holds(page, expectation), patienceMs, null)) === isWanted) return true;
    await pause(againMs);
  }
  return false;
}

async function holds(page: Page, expectation: Expectation): Promise<boolean> {
  switch (expectation.type) {
    case 'expect_url':
      return matches(page.url(), expectation.match, 'as it is');
    case 'expect_title':
      return matches(await page.title(), expectation.match, 'whole');
    case 'expect_elements':
      return areThere(page, expectation);
    default:
      return holdsOf(page, findElement(page, expectation.locator), expectation);
  }
}

type OfElement = Exclude<Expectation, { type: 'expect_url' | 'expect_title' | 'expect_elements' }>;

async function holdsOf(page: Page, element: Locator, expectation: OfElement): Promise<boolean> {
  const soon = { timeout: againMs };
  switch (expectation.type) {
    case 'expect_visible':
      return element.first().isVisible();
    case 'expect_hidden':
      return !(await element.first().isVisible());
    case 'expect_checked':
      return element.isChecked(soon);
    case 'expect_state':
      return isInState(page, element, expectation.state);
    case 'expect_text': {
      const text = (await element.textContent(soon)) ?? '';
      return matches(text, expectation.match, expectation.contains ? 'part' : 'whole');
    }
    case 'expect_value':
      return matches(await element.inputValue(soon), expectation.match, 'as it is');
    case 'expect_attribute': {
      const value = await element.getAttribute(expectation.name, soon);
      return value !== null && (expectation.match === null || matches(value, expectation.match, 'as it is'));
    }
    case 'expect_count':
      return (await element.count()) === expectation.count;
  }
}

async function isInState(page: Page, element: Locator, state: ElementState): Promise<boolean> {
  const soon = { timeout: againMs };
  switch (state) {
    case 'attached':
      return (await element.count()) > 0;
    case 'disabled':
      return element.isDisabled(soon);
    case 'enabled':
      return element.isEnabled(soon);
    case 'editable':
      return element.isEditable(soon);
    case 'empty':
      return element.evaluate(isEmpty, null, soon);
    case 'focused':
      return element.evaluate(hasFocus, null, soon);
    case 'in_viewport': {
      const box = await element.boundingBox(soon);
      const size = page.viewportSize();
      return box !== null && size !== null && overlaps(box, size);
    }
  }
}

/** Runs in the page. */
function isEmpty(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return (isField ? element.value : (element.textContent ?? '').trim()) === '';
}

/** Runs in the page. */
function hasFocus(element: Element): boolean {
  return (element.getRootNode() as Document | ShadowRoot).activeElement === element;
}

type Box = { x: number; y: number; width: number; height: number };

function overlaps({ x, y, width, height }: Box, size: { width: number; height: number }): boolean {
  return width * height > 0 && x < size.width && y < size.height && x + width > 0 && y + height > 0;
}

type OfElements = Extract<Expectation, { type: 'expect_elements' }>;

async function areThere(
  page: Page,
  { locator, otherwise = [], count, operator, attributes }: OfElements,
): Promise<boolean> {
  let [found, alike] = [0, 0];
  // The first way that finds something is the one that counts.
  for (const way of [locator, ...otherwise]) {
    [found, alike] = await findElement(page, way).evaluateAll(countAlike, attributes);
    if (found > 0) break;
  }
  if (alike < found) return false;
  if (operator === '==') return found === count;
  return operator === '>=' ? found >= count : found <= count;
}

/** Runs in the page: how many elements there are, and how many of them have these attributes. */
function countAlike(elements: Element[], attributes: Record<string, string>): [number, number] {
  const alike = elements.filter((element) =>
    Object.entries(attributes).every(([name, value]) => element.getAttribute(name) === value),
  );
  return [elements.length, alike.length];
}

/** Letter by letter; or with white space counted once, as Playwright counts it, the whole text or a part of it. */
type Reach = 'as it is' | 'whole' | 'part';

function matches(text: string, match: TextMatch, reach: Reach): boolean {
  if (match.type === 'pattern') {
    const flags = match.flags.replace(/[^ims]/g, '');
    // One group around it all: its own groups may have no part in a match.
    const pattern = `${flags === '' ? '' : `(?${flags})`}(${match.pattern})`;
    return compilePattern(pattern).firstIn(text) !== null;
  }
  if (reach === 'as it is') return text === match.text;
  const plain = collapse(text);
  const sought = collapse(match.text);
  return reach === 'part' ? plain.includes(sought) : plain === sought;
}

function collapse(text: string): string {
  return text
    .replace(/[\u200b\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
