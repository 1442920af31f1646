import type { BrowserAction, Locator, TextMatch } from '../../shared/browser-actions.ts';

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
    case 'fill':
    case 'type_text':
      return action.value === ''
        ? `Empty ${describeLocator(action.locator)}`
        : `Type “${shorten(action.value)}” into ${describeLocator(action.locator)}`;
    case 'press':
      return `Press ${action.key}`;
    case 'select_option':
      return `Choose ${action.options.map((option) => `“${shorten(option)}”`).join(', ')} in ${describeLocator(action.locator)}`;
    case 'pause':
      return `Wait ${action.durationMs / 1000} s`;
    case 'viewport':
      return `Size the window ${action.width} × ${action.height}`;
    case 'expect_visible':
      return `Check that ${describeLocator(action.locator)} is there`;
    case 'expect_hidden':
      return `Check that ${describeLocator(action.locator)} is gone`;
    case 'expect_checked':
      return `Check that ${describeLocator(action.locator)} is ticked`;
    case 'expect_text':
      return `Check that ${describeLocator(action.locator)} says ${describeMatch(action.match)}`;
    case 'expect_value':
      return `Check that ${describeLocator(action.locator)} holds ${describeMatch(action.match)}`;
    case 'expect_count':
      return `Check that there are ${action.count} of ${describeLocator(action.locator)}`;
    case 'expect_url':
      return `Check that the address is ${describeMatch(action.match)}`;
    case 'expect_title':
      return `Check that the title is ${describeMatch(action.match)}`;
  }
}

const roleWords: Record<string, string> = {
  textbox: 'the field',
  searchbox: 'the field',
  spinbutton: 'the field',
  combobox: 'the list',
  listbox: 'the list',
  img: 'the picture',
};

/** The last part that says what it is; what is around it only says where. */
function describeLocator(locator: Locator): string {
  const part = locator.findLast(({ by }) => by !== 'nth' && by !== 'frame');
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
    case 'nth':
    case 'frame':
      return 'the page';
    default:
      return describeMatch(part.match);
  }
}

function describeMatch(match: TextMatch): string {
  return match.type === 'text' ? `“${shorten(match.text)}”` : `/${match.pattern}/${match.flags}`;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
