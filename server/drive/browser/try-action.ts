import type { CDPSession, Locator, Page } from 'playwright-core';
import type { BrowserAction, Stuck } from '../../../shared/scenario/browser-actions.ts';
import { withinTime } from '../../base/process/children.ts';
import { reasonOfCode } from '../../base/text/foreign-errors.ts';
import { type Expectation, isExpectation } from './check-expectation.ts';
import {
  findElement,
  nameElement,
  type Pages,
  type Patience,
  quote,
  quoteMatch,
  shorten,
  usualPatience,
} from './pages.ts';
import { performAction } from './perform-action.ts';

/** Why an action did not go as it should, as a sentence without its beginning; a missed expectation lets others go on. */
type ActionProblem = { what: string; isMissed: boolean };

/** Null when all is well. */
export async function tryAction(
  pages: Pages,
  action: BrowserAction,
  patience: Patience = usualPatience,
): Promise<ActionProblem | null> {
  try {
    if (await performAction(pages, action, patience)) return null;
  } catch (error) {
    const what = await describeFailure(pages.open.get(action.page), action, error, patience);
    return { what, isMissed: false };
  }
  if (!isExpectation(action)) return null;
  const what = await describeMissed(pages.open.get(action.page), action, patience);
  return { what, isMissed: true };
}

/**
 * The step at which a replay got stuck, with a picture of the page.
 * @param step its place among the actions, from 1
 * @param secrets values that the picture must not show
 */
export async function stuckAt(
  pages: Pages,
  step: number,
  action: BrowserAction,
  { what }: ActionProblem,
  secrets: readonly string[],
): Promise<Stuck> {
  const page = pages.open.get(action.page);
  const picture = page === undefined || page.isClosed() ? null : await takePicture(page, secrets);
  const place = action.line === null ? `Step ${step}` : `Step ${step}, line ${action.line}`;
  return { step, line: action.line, sentence: `${place}: ${what}.`.slice(0, 2000), picture };
}

/** In CSS pixels of the picture; a page that is larger is made smaller. */
const most = { width: 640, height: 800 };
const quality = 60;
/** Length in Base64. A larger picture, of a page full of noise, is not stored. */
const mostLength = 400_000;
const patienceMs = 3_000;

/**
 * A small JPEG of what a page shows now, in Base64, in which these values are dots. Null when the page gives none in time.
 * The page is changed for it: nothing may be done with it afterwards.
 */
export async function takePicture(page: Page, secrets: readonly string[]): Promise<string | null> {
  return withinTime(pictureOf(page, secrets), patienceMs, null);
}

async function pictureOf(page: Page, secrets: readonly string[]): Promise<string | null> {
  const session = await page.context().newCDPSession(page);
  // A picture that could show a secret is none.
  if (secrets.length > 0) await hideSecrets(session, secrets);
  const { cssVisualViewport: shown } = await session.send('Page.getLayoutMetrics');
  const scale = Math.min(1, most.width / shown.clientWidth);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    clip: {
      x: shown.pageX,
      y: shown.pageY,
      width: shown.clientWidth,
      height: Math.min(shown.clientHeight, most.height / scale),
      scale,
    },
  });
  return data.length > mostLength ? null : data;
}

/** In an isolated world, where the page’s scripts cannot see the values. */
async function hideSecrets(session: CDPSession, secrets: readonly string[]): Promise<void> {
  const spelled = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'tls-toll',
  });
  const { exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: String(hide),
    executionContextId,
    arguments: [{ value: spelled.toSorted((a, b) => b.length - a.length) }],
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
}

/**
 * Runs in the page: texts show dots for the values, fields for whatever they hold, as a page may space a value out. Frames,
 * and elements of the page's own that nobody can look into, show nothing.
 */
function hide(values: string[]): void {
  const clean = (text: string) =>
    values.reduce((rest, value) => (value === '' ? rest : rest.split(value).join('•••')), text);
  const visit = (root: Node): void => {
    for (const node of root.childNodes) {
      if (node instanceof Text && node.data !== clean(node.data)) node.data = clean(node.data);
      if (!(node instanceof HTMLElement)) {
        visit(node);
        continue;
      }
      const isClosed = node.tagName.includes('-') && node.shadowRoot === null;
      if (isClosed || /^(?:IFRAME|FRAME|OBJECT|EMBED|CANVAS)$/.test(node.tagName))
        node.style.setProperty('visibility', 'hidden', 'important');
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
        if (node.value !== '' && !/^(?:button|submit|reset|checkbox|radio|file)$/.test(node.type))
          node.value = '•••';
        if (node.placeholder !== clean(node.placeholder)) node.placeholder = clean(node.placeholder);
      }
      if (node.shadowRoot !== null) visit(node.shadowRoot);
      visit(node);
    }
  };
  visit(document);
}

/** The page is looked at once more, and may be busy with itself. */
const lookMs = 1_000;
const longest = 200;

/** Why an action could not be done, as a sentence without its beginning and its full stop. */
async function describeFailure(
  page: Page | undefined,
  action: BrowserAction,
  error: unknown,
  { actionMs, visitMs }: Patience,
): Promise<string> {
  const reason = firstReason(error);
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
  return `${what} could not be opened: ${network === undefined ? reason : `the server ${reasonOfCode(network)}`}`;
}

/** Describes the state that an expectation found instead of the expected one. */
async function describeMissed(
  page: Page | undefined,
  action: Expectation,
  { expectationMs }: Patience,
): Promise<string> {
  if (page === undefined || page.isClosed()) return 'the page was closed';
  const within = `within ${seconds(expectationMs)}`;
  const path = pathOf(page.url());
  const not = action.negated === true ? 'still' : 'not';
  switch (action.type) {
    case 'expect_url':
      return `the address was ${not} ${quoteMatch(action.match)} ${within}. It is ${path}`;
    case 'expect_title': {
      const title = await withinTime(page.title(), lookMs, '');
      return `the title was ${not} ${quoteMatch(action.match)} ${within}. It is ${quote(title)}`;
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
  return `the ${name} on ${path} was ${not} ${action.type === 'expect_checked' ? 'checked' : state} ${within}`;
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
function firstReason(error: unknown): string {
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
