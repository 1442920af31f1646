import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import type { RawAction } from './playwright-recorder.ts';

/** An action as the recorder tells it, in the words of a scenario; or why it has none. */
export function readAction(
  action: RawAction,
  page: number,
  locator: Locator | null,
): BrowserAction | { reason: string } {
  if (locator === null) return { reason: 'An element was used that no locator describes.' };
  const step = { line: null, page, locator };
  switch (action.name) {
    case 'click':
      return {
        ...step,
        type: 'click',
        button: action.button,
        clicks: Math.min(3, Math.max(1, action.clickCount)),
        opens: null,
      };
    case 'fill':
      return { ...step, type: 'fill', value: action.text.slice(0, 100_000) };
    case 'press':
      return { ...step, type: 'press', key: chordOf(action.key, action.modifiers) };
    case 'select':
      return { ...step, type: 'select_option', options: action.options.slice(0, 100) };
    case 'check':
    case 'uncheck':
    case 'hover':
      return { ...step, type: action.name };
    case 'setInputFiles':
      return { reason: 'A file was chosen for upload, which is not kept.' };
  }
}

const modifierNames: [number, string][] = [
  [1, 'Alt'],
  [2, 'Control'],
  [4, 'Meta'],
  [8, 'Shift'],
];

function chordOf(key: string, modifiers: number): string {
  const held = modifierNames.filter(([bit]) => (modifiers & bit) !== 0).map(([, name]) => name);
  return [...held, key].join('+').slice(0, 100);
}
