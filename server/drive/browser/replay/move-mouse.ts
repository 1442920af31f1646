import type { Page } from 'playwright-core';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';

type MouseAction = Extract<BrowserAction, { type: `mouse_${string}` | 'wheel' }>;

/** Mouse moves, presses and wheel turns at coordinates of the page. */
export async function moveMouse({ mouse }: Page, action: MouseAction): Promise<void> {
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
