import type { Node } from '@babel/types';
import { modifiers, type SelectedOption } from '../../../shared/browser-actions.ts';
import type { Locator } from '../../../shared/locator.ts';
import type { Call } from './call.ts';
import { type Meaning, Misunderstood, nothing, type Scope } from './meaning.ts';
import { locatorOf, type ReadMeaning } from './read-locator.ts';
import { flagOf, optionsOf, readNumber, readPlace, readWord } from './read-options.ts';
import { readOptions, readText } from './read-value.ts';
import { addAction, leaveOut } from './test-draft.ts';

/** Methods of a locator that do something to what it finds; null when the method is none of them. */
export function act(page: number, locator: Locator, call: Call, read: ReadMeaning): Meaning | null {
  const { method, args, scope, reading } = call;
  const at = { page, locator };
  switch (method) {
    case 'click':
    case 'dblclick':
    case 'tap':
      click(at, call);
      return nothing;
    case 'fill':
    case 'clear': {
      const value = method === 'fill' ? readText(args[0], scope) : '';
      const options = optionsOf(call, args[method === 'fill' ? 1 : 0], ['force']);
      addAction(reading, { ...at, type: 'fill', value, ...force(options, scope) });
      return nothing;
    }
    case 'type':
    case 'pressSequentially':
      optionsOf(call, args[1]);
      addAction(reading, { ...at, type: 'type_text', value: readText(args[0], scope) });
      return nothing;
    case 'press':
      optionsOf(call, args[1]);
      addAction(reading, { ...at, type: 'press', key: readText(args[0], scope) });
      return nothing;
    case 'check':
    case 'uncheck':
    case 'hover':
      addAction(reading, { ...at, type: method, ...pointer(call, args[0]) });
      return nothing;
    case 'setChecked': {
      const type = flagOf(args[0], scope) ? 'check' : 'uncheck';
      addAction(reading, { ...at, type, ...pointer(call, args[1]) });
      return nothing;
    }
    case 'focus':
    case 'blur':
      optionsOf(call, args[0]);
      addAction(reading, { ...at, type: method });
      return nothing;
    case 'scrollIntoViewIfNeeded':
      optionsOf(call, args[0]);
      addAction(reading, { ...at, type: 'scroll_into_view' });
      return nothing;
    case 'selectText':
      optionsOf(call, args[0], ['force']);
      addAction(reading, { ...at, type: 'select_text' });
      return nothing;
    case 'selectOption': {
      const options = optionsOf(call, args[1], ['force']);
      const selected = selectedIn(args[0], scope);
      addAction(reading, { ...at, type: 'select_option', options: selected, ...force(options, scope) });
      return nothing;
    }
    case 'dispatchEvent':
      if (args.length > 1) throw new Misunderstood('dispatchEvent with properties is not supported.');
      addAction(reading, { ...at, type: 'dispatch_event', event: readText(args[0], scope) });
      return nothing;
    case 'dragTo':
      drag(at, locatorOf(args[0], read), call, args[1]);
      return nothing;
    case 'waitFor':
      addAction(reading, { ...at, ...awaitedState(call, args[0]) });
      return nothing;
    default:
      return null;
  }
}

type At = { page: number; locator: Locator };

export function drag(at: At, target: Locator, call: Call, node: Node | undefined): void {
  const options = optionsOf(call, node, ['sourcePosition', 'targetPosition', 'force', 'strict']);
  const from = options.get('sourcePosition');
  const to = options.get('targetPosition');
  addAction(call.reading, {
    ...at,
    type: 'drag',
    target,
    ...(from === undefined ? {} : { from: readPlace(from, call.scope) }),
    ...(to === undefined ? {} : { to: readPlace(to, call.scope) }),
    ...force(options, call.scope),
  });
}

const buttons = ['left', 'right', 'middle'] as const;

function click(at: At, call: Call): void {
  const { method, args, scope, reading } = call;
  const options = readOptions(args[0]);
  const hold = options.get('delay');
  const count = options.get('clickCount');
  const said = options.get('button');
  const how = pointer(call, args[0], ['delay', 'clickCount', 'button']);
  if (method === 'tap') leaveOut(reading, 'tap as a touch: it is done as a click');
  const clicks = count === undefined ? 1 : readNumber(count, scope);
  addAction(reading, {
    ...at,
    type: 'click',
    button: said === undefined ? 'left' : readWord(said, scope, 'button', buttons),
    clicks: method === 'dblclick' ? 2 : clicks,
    ...(hold === undefined ? {} : { holdMs: Math.round(readNumber(hold, scope)) }),
    ...how,
    opens: null,
  });
}

/** Where and how the mouse meets an element. */
function pointer(call: Call, node: Node | undefined, others: readonly string[] = []) {
  const { scope } = call;
  const options = optionsOf(call, node, [...others, 'modifiers', 'position', 'force']);
  const held = options.get('modifiers');
  const position = options.get('position');
  return {
    ...(held === undefined ? {} : { modifiers: modifiersOf(held, scope) }),
    ...(position === undefined ? {} : { position: readPlace(position, scope) }),
    ...force(options, scope),
  };
}

function modifiersOf(node: Node, scope: Scope) {
  if (node.type !== 'ArrayExpression') throw new Misunderstood('The modifiers must be written out in place.');
  return node.elements.flatMap((element) =>
    element === null ? [] : [readWord(element, scope, 'A modifier', modifiers)],
  );
}

function force(options: ReadonlyMap<string, Node>, scope: Scope): { force?: true } {
  return flagOf(options.get('force'), scope) ? { force: true } : {};
}

/** A value or label, several of them, or `{ label }`, `{ value }` and `{ index }`. */
function selectedIn(node: Node | undefined, scope: Scope): SelectedOption[] {
  if (node?.type === 'NullLiteral') return [];
  if (node?.type === 'ArrayExpression') {
    return node.elements.flatMap((element) => (element === null ? [] : selectedIn(element, scope)));
  }
  if (node?.type !== 'ObjectExpression') return [readText(node, scope)];
  const options = readOptions(node);
  const named: Exclude<SelectedOption, string> = {};
  for (const [name, value] of options) {
    if (name === 'value' || name === 'label') named[name] = readText(value, scope);
    else if (name === 'index') named.index = readNumber(value, scope);
    else throw new Misunderstood(`selectOption with ${name} is not supported.`);
  }
  return [named];
}

const states = ['attached', 'detached', 'visible', 'hidden'] as const;

/** Of `waitFor` and `waitForSelector`. */
export function awaitedState(call: Call, node: Node | undefined) {
  const said = optionsOf(call, node, ['state', 'strict']).get('state');
  const state = said === undefined ? 'visible' : readWord(said, call.scope, 'state', states);
  switch (state) {
    case 'visible':
      return { type: 'expect_visible' } as const;
    case 'hidden':
      return { type: 'expect_hidden' } as const;
    case 'attached':
      return { type: 'expect_state', state: 'attached' } as const;
    case 'detached':
      return { type: 'expect_state', state: 'attached', negated: true } as const;
  }
}
