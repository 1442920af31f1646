import type { Node } from '@babel/types';
import type { SelectedOption } from '../../../../shared/scenario/browser-actions.ts';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { locatorOf } from './read-locator.ts';
import {
  button,
  firstText,
  force,
  number,
  oneOf,
  optionsOf,
  place,
  pointer,
  readFlag,
} from './read-options.ts';
import { readNumber, readOptions, readText } from './read-value.ts';
import { type Act, type Call, leaveOut } from './test-draft.ts';

/** Methods of a locator that do something to what it finds. */
export const elementActions: Readonly<Record<string, (call: Call) => Act>> = {
  click,
  dblclick: (call) => ({ ...click(call), clicks: 2 }),
  tap: (call) => {
    leaveOut(call.reading, 'tap as a touch: it is done as a click');
    return click(call);
  },
  fill: (call) => ({ type: 'fill', value: firstText(call), ...optionsOf(call, 1, { force }) }),
  clear: (call) => ({ type: 'fill', value: '', ...optionsOf(call, 0, { force }) }),
  type: (call) => ({ type: 'type_text', value: firstText(call), ...optionsOf(call, 1) }),
  pressSequentially: (call) => ({ type: 'type_text', value: firstText(call), ...optionsOf(call, 1) }),
  press: (call) => ({ type: 'press', key: firstText(call), ...optionsOf(call, 1) }),
  check: (call) => ({ type: 'check', ...optionsOf(call, 0, pointer) }),
  uncheck: (call) => ({ type: 'uncheck', ...optionsOf(call, 0, pointer) }),
  hover: (call) => ({ type: 'hover', ...optionsOf(call, 0, pointer) }),
  setChecked: (call) => ({
    type: readFlag(call.args[0], call.scope) ? 'check' : 'uncheck',
    ...optionsOf(call, 1, pointer),
  }),
  focus: (call) => ({ type: 'focus', ...optionsOf(call, 0) }),
  blur: (call) => ({ type: 'blur', ...optionsOf(call, 0) }),
  scrollIntoViewIfNeeded: (call) => ({ type: 'scroll_into_view', ...optionsOf(call, 0) }),
  selectText: (call) => ({ type: 'select_text', ...optionsOf(call, 0) }),
  selectOption: (call) => ({
    type: 'select_option',
    options: selectedIn(call.args[0], call.scope),
    ...optionsOf(call, 1, { force }),
  }),
  dispatchEvent: (call) => {
    if (call.args.length > 1) throw new Misunderstood('dispatchEvent with properties is not supported.');
    return { type: 'dispatch_event', event: firstText(call) };
  },
  dragTo: (call) => drag(call, locatorOf(call.args[0], call), 1),
  waitFor: (call) => awaitedState(call, 0),
};

const delay = (node: Node, { scope }: Call) => Math.round(readNumber(node, scope));

function click(call: Call): Act<'click'> {
  const options = optionsOf(call, 0, { ...pointer, delay, clickCount: number, button });
  const { delay: holdMs, clickCount: clicks = 1, button: pressed = 'left', ...how } = options;
  return {
    ...{ type: 'click', button: pressed, clicks, ...how, opens: null },
    ...(holdMs === undefined ? {} : { holdMs }),
  };
}

/** @param index of the options among the arguments */
export function drag(call: Call, target: Locator, index: number): Act<'drag'> {
  const options = optionsOf(call, index, { sourcePosition: place, targetPosition: place, force });
  const { sourcePosition: from, targetPosition: to, ...how } = options;
  return { type: 'drag', target, from, to, ...how };
}

/** A value or label, several of them, or `{ label }`, `{ value }` and `{ index }`. */
function selectedIn(node: Node | undefined, scope: Scope): SelectedOption[] {
  if (node?.type === 'NullLiteral') return [];
  if (node?.type === 'ArrayExpression') {
    return node.elements.flatMap((element) => (element === null ? [] : selectedIn(element, scope)));
  }
  if (node?.type !== 'ObjectExpression') return [readText(node, scope)];
  const named: Exclude<SelectedOption, string> = {};
  for (const [name, value] of readOptions(node)) {
    if (name === 'value' || name === 'label') named[name] = readText(value, scope);
    else if (name === 'index') named.index = readNumber(value, scope);
    else throw new Misunderstood(`selectOption with ${name} is not supported.`);
  }
  return [named];
}

const states = {
  visible: { type: 'expect_visible' },
  hidden: { type: 'expect_hidden' },
  attached: { type: 'expect_state', state: 'attached' },
  detached: { type: 'expect_state', state: 'attached', negated: true },
} as const;

/** Of `waitFor` and `waitForSelector`. */
export function awaitedState(call: Call, index: number) {
  const state = oneOf('attached', 'detached', 'visible', 'hidden');
  return states[optionsOf(call, index, { state }).state ?? 'visible'];
}
