import { button, firstText, number, optionsOf } from './read-options.ts';
import { readNumber } from './read-value.ts';
import type { Act, Call } from './test-draft.ts';

type Acts = Readonly<Record<string, (call: Call) => Act>>;

/** Keys that go to what has the focus. */
export const keyboardActions: Acts = {
  press: (call) => ({ type: 'press', locator: null, key: firstText(call), ...optionsOf(call, 1) }),
  down: (call) => ({ type: 'key_down', key: firstText(call) }),
  up: (call) => ({ type: 'key_up', key: firstText(call) }),
  type: (call) => ({ type: 'type_keys', value: firstText(call), ...optionsOf(call, 1) }),
  insertText: (call) => ({ type: 'insert_text', value: firstText(call) }),
};

/** At coordinates of the page. */
export const mouseActions: Acts = {
  move: (call) => ({ type: 'mouse_move', ...placeOf(call), ...optionsOf(call, 2) }),
  down: (call) => ({ type: 'mouse_down', ...pressed(call, 0) }),
  up: (call) => ({ type: 'mouse_up', ...pressed(call, 0) }),
  click: (call) => ({ type: 'mouse_click', ...placeOf(call), ...pressed(call, 2) }),
  dblclick: (call) => ({ type: 'mouse_click', ...placeOf(call), ...pressed(call, 2), clicks: 2 }),
  wheel: (call) => {
    const { x: deltaX, y: deltaY } = placeOf(call);
    return { type: 'wheel', deltaX, deltaY };
  },
};

function placeOf({ args, scope }: Call): { x: number; y: number } {
  return { x: readNumber(args[0], scope), y: readNumber(args[1], scope) };
}

/** @param index of the options among the arguments */
function pressed(call: Call, index: number) {
  const options = optionsOf(call, index, { button, clickCount: number });
  return { button: options.button ?? 'left', clicks: options.clickCount ?? 1 };
}
