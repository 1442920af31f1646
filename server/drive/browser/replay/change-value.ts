import type { Locator } from 'playwright-core';

/** What is longer is set at once, as Puppeteer does it. */
const mostTyped = 100;

/** Sets a field as a DevTools recording means it: a list by its value, a text by typing, others such as colors by setting them. */
export async function changeValue(element: Locator, value: string, timeoutMs: number): Promise<void> {
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
