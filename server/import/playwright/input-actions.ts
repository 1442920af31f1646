import type { Call } from './call.ts';
import { type Meaning, nothing } from './meaning.ts';
import { optionsOf, readNumber, readWord } from './read-options.ts';
import { readText } from './read-value.ts';
import { addAction } from './test-draft.ts';

/** Keys that go to what has the focus; null when the method is none of them. */
export function actOnKeyboard(page: number, call: Call): Meaning | null {
  const { method, args, scope, reading } = call;
  const said = () => readText(args[0], scope);
  switch (method) {
    case 'press':
      optionsOf(call, args[1]);
      addAction(reading, { type: 'press', page, locator: null, key: said() });
      return nothing;
    case 'down':
    case 'up':
      addAction(reading, { type: method === 'down' ? 'key_down' : 'key_up', page, key: said() });
      return nothing;
    case 'type':
      optionsOf(call, args[1]);
      addAction(reading, { type: 'type_keys', page, value: said() });
      return nothing;
    case 'insertText':
      addAction(reading, { type: 'insert_text', page, value: said() });
      return nothing;
    default:
      return null;
  }
}

const buttons = ['left', 'right', 'middle'] as const;

/** Mouse actions at coordinates of the page; null for any other method. */
export function actOnMouse(page: number, call: Call): Meaning | null {
  const { method, args, scope, reading } = call;
  const options = (index: number) => {
    const given = optionsOf(call, args[index], ['button', 'clickCount']);
    const button = given.get('button');
    const count = given.get('clickCount');
    return {
      button: button === undefined ? 'left' : readWord(button, scope, 'button', buttons),
      clicks: count === undefined ? 1 : readNumber(count, scope),
    } as const;
  };
  const place = () => ({ x: readNumber(args[0], scope), y: readNumber(args[1], scope) });
  switch (method) {
    case 'move':
      optionsOf(call, args[2]);
      addAction(reading, { type: 'mouse_move', page, ...place() });
      return nothing;
    case 'down':
    case 'up':
      addAction(reading, { type: `mouse_${method}`, page, ...options(0) });
      return nothing;
    case 'click':
      addAction(reading, { type: 'mouse_click', page, ...place(), ...options(2) });
      return nothing;
    case 'dblclick':
      addAction(reading, { type: 'mouse_click', page, ...place(), ...options(2), clicks: 2 });
      return nothing;
    case 'wheel': {
      const { x: deltaX, y: deltaY } = place();
      addAction(reading, { type: 'wheel', page, deltaX, deltaY });
      return nothing;
    }
    default:
      return null;
  }
}
