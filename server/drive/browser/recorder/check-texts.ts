import type { Page } from 'playwright-core';
import type { RecorderMessage } from '../../../../shared/scenario/recorder.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { SeenText } from '../../../intake/traffic/seen-texts.ts';
import { checkExpectation, type Expectation } from '../replay/check-expectation.ts';
import { usualPatience } from '../replay/pages.ts';
import type { StepLog } from './step-log.ts';
import type { Tab } from './tabs.ts';

type TextChecks = {
  /** Neither of the two waits. */
  addAt(tab: Tab, x: number, y: number): void;
  addTyped(tab: Tab, text: string): void;
  seen(): SeenText[];
};

/** Steps that expect a text on the page, once it is known to be there. */
export function openTextChecks(
  log: StepLog,
  requestCount: () => number,
  tell: (message: RecorderMessage) => void,
): TextChecks {
  const seen: SeenText[] = [];

  function add({ index }: Tab, text: string): void {
    seen.push({ text, afterRequests: requestCount() });
    log.add(visibleText(index, text));
  }

  async function addAt(tab: Tab, x: number, y: number): Promise<void> {
    const text = await pickText(tab.page, x, y);
    if (text === null) tell({ type: 'problem', sentence: 'There is no text at that place.' });
    else add(tab, text);
  }

  /** The page may be on its way still. */
  async function addTyped(tab: Tab, text: string): Promise<void> {
    const expected = visibleText(tab.index, text);
    const isThere = await checkExpectation(tab.page, expected, usualPatience.expectationMs);
    if (isThere) add(tab, text);
    else tell({ type: 'problem', sentence: `“${text}” is not on the page.` });
  }

  return {
    addAt: (tab, x, y) => void addAt(tab, x, y),
    addTyped: (tab, text) => void addTyped(tab, text),
    seen: () => seen,
  };
}

/** The step that says: the first element with this text can be seen. */
function visibleText(page: number, text: string): Expectation {
  return {
    ...{ type: 'expect_visible', line: null, page },
    locator: [
      { by: 'text', match: { type: 'text', text, exact: false } },
      { by: 'nth', index: 0 },
    ],
  };
}

const patienceMs = 2_000;
const mostCharacters = 200;

/** The text that stands at this place of the page, on one line; null when there is none, or it is in a frame. */
async function pickText(page: Page, x: number, y: number): Promise<string | null> {
  const text = await withinTime(page.evaluate(textAt, [x, y] as const), patienceMs, null);
  const line = text?.replace(/\s+/g, ' ').trim().slice(0, mostCharacters).trim() ?? '';
  return line === '' ? null : line;
}

/** Runs in the page. The text node itself where there is one: its element may hold much more. */
function textAt([x, y]: readonly [number, number]): string {
  const node = document.caretRangeFromPoint(x, y)?.startContainer;
  const element = document.elementFromPoint(x, y);
  if (node?.nodeType === Node.TEXT_NODE && element?.contains(node) === true) return node.textContent ?? '';
  return element instanceof HTMLElement ? element.innerText : '';
}
