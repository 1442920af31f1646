import type {
  BrowserAction,
  ElementState,
  SelectedOption,
} from '../../../shared/scenario/browser-actions.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import { quote } from './placeholders.ts';
import { writeMatch, writeText } from './write-locator.ts';

/** What is done to an element, or expected of one. */
type OnElement = Extract<BrowserAction, { locator: Locator }>;

/** @param locate writes a locator */
export function writeElementAction(action: OnElement, locate: (locator: Locator) => string): string {
  const element = locate(action.locator);
  switch (action.type) {
    case 'click':
      return `${element}.${action.clicks === 2 ? 'dblclick' : 'click'}(${clickOptions(action)})`;
    case 'check':
    case 'uncheck':
    case 'hover':
      return `${element}.${action.type}(${options(pointerOptions(action))})`;
    case 'focus':
    case 'blur':
      return `${element}.${action.type}()`;
    case 'select_text':
      return `${element}.selectText()`;
    case 'scroll_into_view':
      return `${element}.scrollIntoViewIfNeeded()`;
    case 'fill':
    case 'change':
      return `${element}.fill(${[writeText(action.value), ...forced(action)].join(', ')})`;
    case 'type_text':
      return `${element}.pressSequentially(${writeText(action.value)})`;
    case 'select_option': {
      const selected = `[${action.options.map(optionOf).join(', ')}]`;
      return `${element}.selectOption(${[selected, ...forced(action)].join(', ')})`;
    }
    case 'drag': {
      const places = [
        ...(action.from === undefined ? [] : [`sourcePosition: ${placeOf(action.from)}`]),
        ...(action.to === undefined ? [] : [`targetPosition: ${placeOf(action.to)}`]),
        ...(action.force === true ? ['force: true'] : []),
      ];
      return `${element}.dragTo(${[locate(action.target), ...(places.length === 0 ? [] : [options(places)])].join(', ')})`;
    }
    case 'dispatch_event':
      return `${element}.dispatchEvent(${writeText(action.event)})`;
    default:
      return writeExpectation(action, `expect(${element})${action.negated === true ? '.not' : ''}`);
  }
}

type OfElement = Extract<OnElement, { type: `expect_${string}` }>;

const stateMatchers: Record<ElementState, string> = {
  attached: 'toBeAttached',
  disabled: 'toBeDisabled',
  enabled: 'toBeEnabled',
  editable: 'toBeEditable',
  empty: 'toBeEmpty',
  focused: 'toBeFocused',
  in_viewport: 'toBeInViewport',
};

function writeExpectation(action: OfElement, expected: string): string {
  switch (action.type) {
    case 'expect_visible':
      return `${expected}.toBeVisible()`;
    case 'expect_hidden':
      return `${expected}.toBeHidden()`;
    case 'expect_checked':
      return `${expected}.toBeChecked()`;
    case 'expect_state':
      return `${expected}.${stateMatchers[action.state]}()`;
    case 'expect_text':
      return `${expected}.${action.contains ? 'toContainText' : 'toHaveText'}(${writeMatch(action.match)})`;
    case 'expect_value':
      return `${expected}.toHaveValue(${writeMatch(action.match)})`;
    case 'expect_attribute': {
      const value = action.match === null ? [] : [writeMatch(action.match)];
      return `${expected}.toHaveAttribute(${[writeText(action.name), ...value].join(', ')})`;
    }
    case 'expect_count':
    case 'expect_elements':
      return `${expected}.toHaveCount(${action.count})`;
  }
}

type Pointed = Extract<OnElement, { type: 'click' | 'check' | 'uncheck' | 'hover' }>;

function clickOptions(action: OnElement & { type: 'click' }): string {
  const { button, clicks, holdMs } = action;
  return options([
    ...(button === 'left' ? [] : [`button: ${quote(button)}`]),
    ...(clicks === 3 ? ['clickCount: 3'] : []),
    ...(holdMs === undefined ? [] : [`delay: ${holdMs}`]),
    ...pointerOptions(action),
  ]);
}

function pointerOptions({ modifiers = [], position, force }: Pointed): string[] {
  return [
    ...(modifiers.length === 0 ? [] : [`modifiers: [${modifiers.map(quote).join(', ')}]`]),
    ...(position === undefined ? [] : [`position: ${placeOf(position)}`]),
    ...(force === true ? ['force: true'] : []),
  ];
}

function forced({ force }: { force?: true | undefined }): string[] {
  return force === true ? ['{ force: true }'] : [];
}

function placeOf({ x, y }: { x: number; y: number }): string {
  return `{ x: ${x}, y: ${y} }`;
}

function options(given: readonly string[]): string {
  return given.length === 0 ? '' : `{ ${given.join(', ')} }`;
}

function optionOf(option: SelectedOption): string {
  if (typeof option === 'string') return writeText(option);
  const { value, label, index } = option;
  return options([
    ...(value === undefined ? [] : [`value: ${writeText(value)}`]),
    ...(label === undefined ? [] : [`label: ${writeText(label)}`]),
    ...(index === undefined ? [] : [`index: ${index}`]),
  ]);
}
