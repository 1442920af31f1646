import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { BrowserAction, TextMatch } from '../../../shared/browser-actions.ts';
import { compilePattern } from '../../scenario/pattern.ts';
import { withinTime } from '../within-time.ts';
import { findElement } from './find-element.ts';

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
  while (performance.now() < deadline) {
    if (await withinTime(holds(page, expectation), patienceMs, false)) return true;
    await pause(againMs);
  }
  return false;
}

async function holds(page: Page, expectation: Expectation): Promise<boolean> {
  switch (expectation.type) {
    case 'expect_url':
      return matches(page.url(), expectation.match, false);
    case 'expect_title':
      return matches(await page.title(), expectation.match, false);
    default:
  }
  const element = findElement(page, expectation.locator);
  switch (expectation.type) {
    case 'expect_visible':
      return element.first().isVisible();
    case 'expect_hidden':
      return !(await element.first().isVisible());
    case 'expect_checked':
      return element.isChecked({ timeout: againMs });
    case 'expect_text':
      return matches(
        (await element.innerText({ timeout: againMs })).trim(),
        expectation.match,
        expectation.contains,
      );
    case 'expect_value':
      return matches(await element.inputValue({ timeout: againMs }), expectation.match, false);
    case 'expect_count':
      return (await element.count()) === expectation.count;
  }
}

/** White space counts once, as in Playwright. */
function matches(text: string, match: TextMatch, contains: boolean): boolean {
  if (match.type === 'pattern') {
    const flags = match.flags.replace(/[^ims]/g, '');
    const pattern = flags === '' ? match.pattern : `(?${flags})${match.pattern}`;
    return compilePattern(pattern).firstIn(text) !== null;
  }
  const plain = text.replace(/\s+/g, ' ');
  const sought = match.text.replace(/\s+/g, ' ').trim();
  return contains ? plain.includes(sought) : plain === sought;
}
