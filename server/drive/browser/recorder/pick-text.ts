import type { Page } from 'playwright-core';
import { withinTime } from '../within-time.ts';

const patienceMs = 2_000;
const mostCharacters = 200;

/** The text that stands at this place of the page, on one line; null when there is none, or it is in a frame. */
export async function pickText(page: Page, x: number, y: number): Promise<string | null> {
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
