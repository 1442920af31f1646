import type { BrowserAction, ElementState, SelectedOption } from '../../shared/scenario/browser-actions.ts';
import type { Site } from '../../shared/scenario/import.ts';
import type { Locator, TextMatch } from '../../shared/scenario/locator.ts';
import type { Extraction } from '../../shared/scenario/scenario.ts';
import { guessOther } from '../../shared/target/address-problem.ts';
import type { TargetInput, TargetKind } from '../../shared/target/target.ts';
import { targetChoices } from '../../shared/target/target-words.ts';

/** An action in a browser as a person would say it. */
export function describeAction(action: BrowserAction): string {
  return (words[action.type] as (action: BrowserAction) => string)(action);
}

const words: { [Type in BrowserAction['type']]: (action: BrowserAction & { type: Type }) => string } = {
  goto: ({ url }) => `Open ${url}`,
  go_back: () => 'Go back',
  go_forward: () => 'Go forward',
  reload: () => 'Load the page again',
  close_page: () => 'Close the tab',
  click: ({ clicks, button, locator, opens }) => {
    const how = clicks === 2 ? 'Double-click' : button === 'right' ? 'Right-click' : 'Click';
    return `${how} ${describeLocator(locator)}${opens === null ? '' : ', which opens a tab'}`;
  },
  check: ({ locator }) => `Tick ${describeLocator(locator)}`,
  uncheck: ({ locator }) => `Untick ${describeLocator(locator)}`,
  hover: ({ locator }) => `Point at ${describeLocator(locator)}`,
  focus: ({ locator }) => `Go to ${describeLocator(locator)}`,
  blur: ({ locator }) => `Leave ${describeLocator(locator)}`,
  select_text: ({ locator }) => `Select the text of ${describeLocator(locator)}`,
  scroll_into_view: ({ locator }) => `Scroll to ${describeLocator(locator)}`,
  drag: ({ locator, target }) => `Drag ${describeLocator(locator)} to ${describeLocator(target)}`,
  dispatch_event: ({ event, locator }) => `Send the event ${shorten(event)} to ${describeLocator(locator)}`,
  scroll: ({ locator }) => `Scroll ${locator === null ? 'the page' : describeLocator(locator)}`,
  mouse_move: ({ x, y }) => `Move the mouse to ${x}, ${y}`,
  mouse_down: () => 'Press the mouse button',
  mouse_up: () => 'Release the mouse button',
  mouse_click: ({ x, y }) => `Click at ${x}, ${y}`,
  wheel: () => 'Turn the mouse wheel',
  key_down: ({ key }) => `Hold ${key}`,
  key_up: ({ key }) => `Release ${key}`,
  type_keys: ({ value }) => `Type “${shorten(value)}”`,
  insert_text: ({ value }) => `Type “${shorten(value)}”`,
  answer_dialog: ({ accept, every }) =>
    `${accept ? 'Accept' : 'Dismiss'} ${every ? 'every dialog' : 'the next dialog'}`,
  extra_headers: ({ headers }) => `Send the headers ${headers.map(([name]) => name).join(', ')}`,
  emulate_media: () => 'Set color scheme and media',
  fill: typeInto,
  change: typeInto,
  type_text: typeInto,
  press: ({ key }) => `Press ${key}`,
  select_option: ({ options, locator }) =>
    `Choose ${options.map(describeOption).join(', ')} in ${describeLocator(locator)}`,
  pause: ({ durationMs }) => `Wait ${durationMs / 1000} s`,
  viewport: ({ width, height }) => `Size the window ${width} × ${height}`,
  expect_url: ({ match, ...check }) => `Check that the address ${is(check)} ${describeMatch(match)}`,
  expect_title: ({ match, ...check }) => `Check that the title ${is(check)} ${describeMatch(match)}`,
  expect_visible: ({ locator }) => `Check that ${describeLocator(locator)} is there`,
  expect_hidden: ({ locator }) => `Check that ${describeLocator(locator)} is gone`,
  expect_checked: (check) => `Check that ${describeLocator(check.locator)} ${is(check)} ticked`,
  expect_state: (check) =>
    `Check that ${describeLocator(check.locator)} ${is(check)} ${stateWords[check.state]}`,
  expect_text: ({ locator, negated, match }) =>
    `Check that ${describeLocator(locator)} ${negated ? 'does not say' : 'says'} ${describeMatch(match)}`,
  expect_value: ({ locator, negated, match }) =>
    `Check that ${describeLocator(locator)} ${negated ? 'does not hold' : 'holds'} ${describeMatch(match)}`,
  expect_attribute: ({ locator, negated, name, match }) => {
    const value = match === null ? '' : ` ${describeMatch(match)}`;
    return `Check that ${describeLocator(locator)} ${negated ? 'has not' : 'has'} ${shorten(name)}${value}`;
  },
  expect_count: ({ negated, count, locator }) =>
    `Check that there are ${negated ? 'not ' : ''}${count} of ${describeLocator(locator)}`,
  expect_elements: ({ negated, operator, count, locator }) => {
    const limit = { '>=': 'at least ', '==': '', '<=': 'at most ' }[operator];
    return `Check that there are ${negated ? 'not ' : ''}${limit}${count} of ${describeLocator(locator)}`;
  },
};

function typeInto({ value, locator }: { value: string; locator: Locator }): string {
  return value === ''
    ? `Empty ${describeLocator(locator)}`
    : `Type “${shorten(value)}” into ${describeLocator(locator)}`;
}

function is({ negated }: { negated?: true | undefined }): string {
  return negated === true ? 'is not' : 'is';
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
  ...['nth', 'frame', 'content_frame', 'owner', 'visible', 'within_each'],
  ...['has', 'has_not', 'has_not_text', 'and', 'or'],
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

/** Targets for trying a scenario of your own. Servers that we start only serve documents. */
export const triedChoices = targetChoices.filter(({ value }) => value !== 'managed');

/** A target as it is filled in; what its kind does not need is kept while another one is chosen. */
export type TargetForm = { kind: TargetKind; http: string; https: string; ca: string };

export const noTarget: TargetForm = { kind: 'storefront', http: '', https: '', ca: '' };

/** Target where a scenario was recorded, and the usual address of its other side; the storefront if the site is not known. */
export function targetOfSite(site: Site | null): TargetForm {
  if (site === null || site === 'storefront') return noTarget;
  const scheme = new URL(site).protocol === 'https:' ? 'https' : 'http';
  const other = scheme === 'https' ? 'http' : 'https';
  return { ...noTarget, kind: 'origins', [scheme]: site, [other]: guessOther(site, scheme) ?? '' };
}

/** Target of the form. The server reports an invalid origin. Null while a field is empty, and for a server that we start. */
export function targetOfForm({ kind, ...typed }: TargetForm): TargetInput | null {
  if (kind === 'storefront') return { kind };
  const [http, https, ca] = [typed.http.trim(), typed.https.trim(), typed.ca.trim()];
  if (kind === 'managed' || http === '' || https === '') return null;
  return { kind, http, https, ...(ca === '' ? {} : { ca }) };
}

/** Source of a value, as a part of a sentence. */
export function describeRule(rule: Extraction): string {
  switch (rule.from) {
    case 'header':
      return `from header ${rule.name}`;
    case 'regex':
      return 'from the body by pattern';
    case 'json_path':
      return `from JSON path ${rule.path}`;
    case 'hidden_input':
      return `from form input ${rule.name}`;
  }
}
