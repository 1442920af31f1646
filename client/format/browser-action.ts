import type { BrowserAction, ElementState, SelectedOption } from '../../shared/scenario/browser-actions.ts';
import type { Locator, TextMatch } from '../../shared/scenario/locator.ts';

/** An action in a browser as a person would say it. */
export function describeAction(action: BrowserAction): string {
  switch (action.type) {
    case 'goto':
      return `Open ${action.url}`;
    case 'go_back':
      return 'Go back';
    case 'go_forward':
      return 'Go forward';
    case 'reload':
      return 'Load the page again';
    case 'close_page':
      return 'Close the tab';
    case 'click': {
      const how = action.clicks === 2 ? 'Double-click' : action.button === 'right' ? 'Right-click' : 'Click';
      return `${how} ${describeLocator(action.locator)}${action.opens === null ? '' : ', which opens a tab'}`;
    }
    case 'check':
      return `Tick ${describeLocator(action.locator)}`;
    case 'uncheck':
      return `Untick ${describeLocator(action.locator)}`;
    case 'hover':
      return `Point at ${describeLocator(action.locator)}`;
    case 'focus':
      return `Go to ${describeLocator(action.locator)}`;
    case 'blur':
      return `Leave ${describeLocator(action.locator)}`;
    case 'select_text':
      return `Select the text of ${describeLocator(action.locator)}`;
    case 'scroll_into_view':
      return `Scroll to ${describeLocator(action.locator)}`;
    case 'drag':
      return `Drag ${describeLocator(action.locator)} to ${describeLocator(action.target)}`;
    case 'dispatch_event':
      return `Send the event ${shorten(action.event)} to ${describeLocator(action.locator)}`;
    case 'scroll':
      return action.locator === null ? 'Scroll the page' : `Scroll ${describeLocator(action.locator)}`;
    case 'mouse_move':
      return `Move the mouse to ${action.x}, ${action.y}`;
    case 'mouse_down':
      return 'Press the mouse button';
    case 'mouse_up':
      return 'Release the mouse button';
    case 'mouse_click':
      return `Click at ${action.x}, ${action.y}`;
    case 'wheel':
      return 'Turn the mouse wheel';
    case 'key_down':
      return `Hold ${action.key}`;
    case 'key_up':
      return `Release ${action.key}`;
    case 'type_keys':
    case 'insert_text':
      return `Type “${shorten(action.value)}”`;
    case 'answer_dialog':
      return `${action.accept ? 'Accept' : 'Dismiss'} ${action.every ? 'every dialog' : 'the next dialog'}`;
    case 'extra_headers':
      return `Send the headers ${action.headers.map(([name]) => name).join(', ')}`;
    case 'emulate_media':
      return 'Set color scheme and media';
    case 'fill':
    case 'change':
    case 'type_text':
      return action.value === ''
        ? `Empty ${describeLocator(action.locator)}`
        : `Type “${shorten(action.value)}” into ${describeLocator(action.locator)}`;
    case 'press':
      return `Press ${action.key}`;
    case 'select_option':
      return `Choose ${action.options.map(describeOption).join(', ')} in ${describeLocator(action.locator)}`;
    case 'pause':
      return `Wait ${action.durationMs / 1000} s`;
    case 'viewport':
      return `Size the window ${action.width} × ${action.height}`;
    default:
      return describeExpectation(action);
  }
}

function describeExpectation(action: Extract<BrowserAction, { type: `expect_${string}` }>): string {
  const is = action.negated === true ? 'is not' : 'is';
  switch (action.type) {
    case 'expect_url':
      return `Check that the address ${is} ${describeMatch(action.match)}`;
    case 'expect_title':
      return `Check that the title ${is} ${describeMatch(action.match)}`;
    default:
  }
  const element = describeLocator(action.locator);
  switch (action.type) {
    case 'expect_visible':
      return `Check that ${element} is there`;
    case 'expect_hidden':
      return `Check that ${element} is gone`;
    case 'expect_checked':
      return `Check that ${element} ${is} ticked`;
    case 'expect_state':
      return `Check that ${element} ${is} ${stateWords[action.state]}`;
    case 'expect_text':
      return `Check that ${element} ${action.negated ? 'does not say' : 'says'} ${describeMatch(action.match)}`;
    case 'expect_value':
      return `Check that ${element} ${action.negated ? 'does not hold' : 'holds'} ${describeMatch(action.match)}`;
    case 'expect_attribute': {
      const value = action.match === null ? '' : ` ${describeMatch(action.match)}`;
      return `Check that ${element} ${action.negated ? 'has not' : 'has'} ${shorten(action.name)}${value}`;
    }
    case 'expect_count':
      return `Check that there are ${action.negated ? 'not ' : ''}${action.count} of ${element}`;
    case 'expect_elements': {
      const words = { '>=': 'at least ', '==': '', '<=': 'at most ' };
      return `Check that there are ${action.negated ? 'not ' : ''}${words[action.operator]}${action.count} of ${element}`;
    }
  }
}

const stateWords: Record<ElementState, string> = {
  attached: 'in the page',
  disabled: 'disabled',
  enabled: 'enabled',
  editable: 'editable',
  empty: 'empty',
  focused: 'focused',
  in_viewport: 'in view',
};

function describeOption(option: SelectedOption): string {
  if (typeof option === 'string') return `“${shorten(option)}”`;
  const { value, label, index } = option;
  return label ?? value ?? `number ${(index ?? 0) + 1}`;
}

const roleWords: Record<string, string> = {
  textbox: 'the field',
  searchbox: 'the field',
  spinbutton: 'the field',
  combobox: 'the list',
  listbox: 'the list',
  img: 'the picture',
};

/** They narrow what is meant, or say where it is. */
const around: ReadonlySet<string> = new Set([
  ...[
    'nth',
    'frame',
    'content_frame',
    'owner',
    'visible',
    'has',
    'has_not',
    'has_not_text',
    'and',
    'or',
    'within_each',
  ],
]);

/** The last part that says what it is; what is around it only says where. */
function describeLocator(locator: Locator): string {
  const part = locator.findLast(({ by }) => !around.has(by));
  if (part === undefined) return 'the page';
  switch (part.by) {
    case 'role': {
      const word = roleWords[part.role] ?? `the ${part.role}`;
      return part.name === null ? word : `${word} ${describeMatch(part.name)}`;
    }
    case 'selector':
      return shorten(part.selector);
    case 'text':
    case 'has_text':
      return describeMatch(part.match);
    case 'label':
    case 'placeholder':
      return `the field ${describeMatch(part.match)}`;
    default:
      return 'match' in part ? describeMatch(part.match) : 'the page';
  }
}

function describeMatch(match: TextMatch): string {
  return match.type === 'text' ? `“${shorten(match.text)}”` : `/${match.pattern}/${match.flags}`;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
