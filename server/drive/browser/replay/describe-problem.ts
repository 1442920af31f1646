import type { Locator, Page } from 'playwright-core';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { Expectation } from './check-expectation.ts';
import { findElement } from './find-element.ts';
import { nameElement, quote, quoteMatch, shorten } from './name-element.ts';
import type { Patience } from './pages.ts';

/** The page is looked at once more, and may be busy with itself. */
const lookMs = 1_000;
const longest = 200;

/** Why an action could not be done, as a sentence without its beginning and its full stop. */
export async function describeFailure(
  page: Page | undefined,
  action: BrowserAction,
  error: unknown,
  { actionMs, visitMs }: Patience,
): Promise<string> {
  const reason = reasonOf(error);
  const isOpening = /^(?:goto|go_|reload)/.test(action.type);
  if (isOpening) return describeVisit(action, reason, visitMs);
  if (page === undefined || page.isClosed()) return `the page was closed: ${reason}`;
  const where = `on ${pathOf(page.url())}`;
  const within = `within ${seconds(actionMs)}`;
  if (/waiting for event "popup"/.test(reason)) return `no window was opened ${where} ${within}`;
  if (!('locator' in action) || action.locator === null) return `${reason} ${where}`;
  const name = nameElement(action.locator);
  const ways = [action.locator, ...(action.otherwise ?? [])];
  const found = (await Promise.all(ways.map((way) => lookAt(findElement(page, way))))).find(
    ({ count }) => count > 0,
  );
  if (found === undefined) return `no ${name} found ${where} ${within}`;
  if (/strict mode violation/.test(reason))
    return `${found.count} elements match the ${name} ${where}, and the step needs one`;
  if (!found.isVisible) return `the ${name} ${where} was not visible ${within}`;
  if (!found.isEnabled) return `the ${name} ${where} was disabled for ${seconds(actionMs)}`;
  const lines = String(error).split('\n');
  const cover = /<[^<>]+>/.exec(lines.find((line) => line.includes(' intercepts pointer events')) ?? '')?.[0];
  if (cover !== undefined) return `the ${name} ${where} was covered by ${cover} for ${seconds(actionMs)}`;
  if (isTimeout(reason)) return `the ${name} ${where} was not ready ${within}`;
  return `the ${name} ${where}: ${reason}`;
}

function describeVisit(action: BrowserAction, reason: string, visitMs: number): string {
  const what = action.type === 'goto' ? shorten(action.url, longest) : 'the page';
  if (isTimeout(reason)) return `${what} did not load within ${seconds(visitMs)}`;
  const network = /net::\w+/.exec(reason)?.[0];
  return `${what} could not be opened: ${network ?? reason}`;
}

/** What an expectation found instead of what it expected. */
export async function describeMissed(
  page: Page | undefined,
  action: Expectation,
  { expectationMs }: Patience,
): Promise<string> {
  if (page === undefined || page.isClosed()) return 'the page was closed';
  const within = `within ${seconds(expectationMs)}`;
  const path = pathOf(page.url());
  const isNot = action.negated === true ? 'still' : 'not';
  switch (action.type) {
    case 'expect_url':
      return `the address was ${isNot} ${quoteMatch(action.match)} ${within}. It is ${path}`;
    case 'expect_title': {
      const title = await withinTime(page.title(), lookMs, '');
      return `the title was ${isNot} ${quoteMatch(action.match)} ${within}. It is ${quote(title)}`;
    }
    default:
  }
  const name = nameElement(action.locator);
  const element = findElement(page, action.locator);
  const { count } = await lookAt(element);
  if (action.type === 'expect_count')
    return `${count} of the ${name} found on ${path} ${within}, ${action.negated ? 'but not' : 'not'} ${action.count}`;
  if (action.type === 'expect_elements')
    return `the elements expected by ${name} were not there on ${path} ${within}. ${count} were found`;
  if (action.type === 'expect_hidden')
    return `the ${name} was still visible on ${path} after ${seconds(expectationMs)}`;
  if (count === 0) return `no ${name} found on ${path} ${within}`;
  if (action.type === 'expect_visible') return `the ${name} was not visible on ${path} ${within}`;
  if (action.type === 'expect_text') {
    const text = await withinTime(element.first().textContent({ timeout: lookMs }), lookMs, '');
    return `the ${name} on ${path} did ${action.negated ? 'say' : 'not say'} ${quoteMatch(action.match)} ${within}. It says ${quote(text ?? '')}`;
  }
  const state = action.type === 'expect_state' ? action.state.replace('_', ' ') : 'as expected';
  return `the ${name} on ${path} was ${isNot} ${action.type === 'expect_checked' ? 'checked' : state} ${within}`;
}

type Look = { count: number; isVisible: boolean; isEnabled: boolean };

async function lookAt(element: Locator): Promise<Look> {
  const [count, isVisible, isEnabled] = await Promise.all([
    withinTime(element.count(), lookMs, 0),
    withinTime(element.first().isVisible(), lookMs, false),
    withinTime(element.first().isEnabled({ timeout: lookMs }), lookMs, true),
  ]);
  return { count, isVisible, isEnabled };
}

/** Playwright puts its call log below the first line. */
function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return first.replace(/^\w+\.\w+: /, '').replace(/[.:]$/, '');
}

function isTimeout(reason: string): boolean {
  return /^Timeout \d+ms exceeded/.test(reason);
}

/** Without its query, which may hold what is nobody's business. */
function pathOf(url: string): string {
  return shorten(URL.parse(url)?.pathname ?? url, longest);
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
