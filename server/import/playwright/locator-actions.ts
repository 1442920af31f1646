import type { Node } from '@babel/types';
import type { Locator } from '../../../shared/browser-actions.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { flagOf, readNumber } from './read-locator.ts';
import { readOptions, readText } from './read-value.ts';
import { addAction, type Reading } from './test-draft.ts';

/** Methods of a locator that do something to what it finds. */
export function act(
  page: number,
  locator: Locator,
  method: string,
  args: Node[],
  scope: Scope,
  reading: Reading,
): Meaning {
  switch (method) {
    case 'click':
    case 'dblclick':
    case 'tap': {
      const { button, clicks } = clickOptions(args[0], scope);
      addAction(reading, {
        type: 'click',
        page,
        locator,
        button,
        clicks: method === 'dblclick' ? 2 : clicks,
        opens: null,
      });
      return nothing;
    }
    case 'fill':
      addAction(reading, { type: 'fill', page, locator, value: readText(args[0], scope) });
      return nothing;
    case 'clear':
      addAction(reading, { type: 'fill', page, locator, value: '' });
      return nothing;
    case 'type':
    case 'pressSequentially':
      addAction(reading, { type: 'type_text', page, locator, value: readText(args[0], scope) });
      return nothing;
    case 'press':
      addAction(reading, { type: 'press', page, locator, key: readText(args[0], scope) });
      return nothing;
    case 'check':
    case 'uncheck':
    case 'hover':
    case 'focus':
      addAction(reading, { type: method, page, locator });
      return nothing;
    case 'setChecked':
      addAction(reading, { type: flagOf(args[0], scope) ? 'check' : 'uncheck', page, locator });
      return nothing;
    case 'selectOption':
      addAction(reading, { type: 'select_option', page, locator, options: optionsOf(args[0], scope) });
      return nothing;
    case 'waitFor':
      addAction(reading, { type: awaitedState(args[0], scope), page, locator });
      return nothing;
    default:
  }
  if (quiet.has(method)) return nothing;
  throw new Misunderstood(`locator.${method} ${refusals.get(method) ?? 'is not supported'}.`);
}

const nothing: Meaning = { is: 'nothing' };
const quiet = new Set(['scrollIntoViewIfNeeded', 'screenshot', 'highlight', 'blur']);
const refusals = new Map([
  ['evaluate', 'runs code in the page, which is not supported'],
  ['evaluateAll', 'runs code in the page, which is not supported'],
  ['setInputFiles', 'uploads a file, which is not supported'],
]);
const buttons = ['left', 'right', 'middle'] as const;

function clickOptions(node: Node | undefined, scope: Scope) {
  const options = readOptions(node);
  for (const name of options.keys()) {
    if (!['button', 'clickCount', 'force', 'timeout', 'delay', 'noWaitAfter', 'trial'].includes(name)) {
      throw new Misunderstood(`click with ${name} is not supported.`);
    }
  }
  const said = options.get('button');
  const button = buttons.find((name) => said !== undefined && name === readText(said, scope)) ?? 'left';
  const count = options.get('clickCount');
  return { button, clicks: count === undefined ? 1 : Math.min(3, Math.max(1, readNumber(count, scope))) };
}

/** A value or label, several of them, or `{ label }` and `{ value }`. */
function optionsOf(node: Node | undefined, scope: Scope): string[] {
  if (node?.type === 'ArrayExpression') {
    return node.elements.flatMap((element) => (element === null ? [] : optionsOf(element, scope)));
  }
  if (node?.type !== 'ObjectExpression') return [readText(node, scope)];
  const options = readOptions(node);
  const value = options.get('value') ?? options.get('label');
  if (value === undefined) throw new Misunderstood('selectOption is supported with a value or a label.');
  return [readText(value, scope)];
}

function awaitedState(node: Node | undefined, scope: Scope): 'expect_visible' | 'expect_hidden' {
  const state = readOptions(node).get('state');
  const name = state === undefined ? 'visible' : readText(state, scope);
  return name === 'hidden' || name === 'detached' ? 'expect_hidden' : 'expect_visible';
}
