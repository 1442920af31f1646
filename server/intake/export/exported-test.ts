import type {
  BrowserAction,
  ElementState,
  SelectedOption,
} from '../../../shared/scenario/browser-actions.ts';
import { isExact } from '../../../shared/scenario/browser-actions.ts';
import type { Locator, LocatorPart, RoleStates, TextMatch } from '../../../shared/scenario/locator.ts';
import { asJavaScript, piecesOfAction, quote } from './written-values.ts';

/**
 * Actions as a test of @playwright/test in TypeScript. Secrets come from environment variables of their names; one that
 * is not set fails the test by its name.
 */
export function writePlaywrightTest(name: string, actions: readonly BrowserAction[]): string {
  const lines = [...demands(actions), ...actions.flatMap(linesOf)].map((line) => `  ${line}`);
  const imports = lines.some((line) => line.includes('expect(')) ? 'expect, test' : 'test';
  return [
    `import { ${imports} } from '@playwright/test';`,
    '',
    `test(${quote(name)}, async ({ page }) => {`,
    ...lines,
    '});',
    '',
  ].join('\n');
}

function demands(actions: readonly BrowserAction[]): string[] {
  const secrets = actions.flatMap((action) => Object.values(action)).flatMap(secretsIn);
  return [...new Set(secrets)].map(
    (name) => `expect(process.env.${name}, ${quote(`Set the environment variable ${name}.`)}).toBeDefined();`,
  );
}

/** Only plain texts and lists of them have secrets: what is typed, chosen, and opened. */
function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'string') return [];
  return piecesOfAction(value).flatMap(({ type, text }) => (type === 'secret' ? [text] : []));
}

function linesOf(action: BrowserAction): string[] {
  const page = pageName(action.page);
  if (action.type === 'click' && action.opens !== null) {
    const opened = pageName(action.opens);
    return [
      `const ${opened}Promise = ${page}.waitForEvent('popup');`,
      `await ${callOf(action, page)};`,
      `const ${opened} = await ${opened}Promise;`,
    ];
  }
  const call = callOf(action, page);
  if (action.navigates === true)
    return [`await Promise.all([${page}.waitForEvent('framenavigated'), ${call}]);`];
  // A handler is there from the moment it is set; nothing is awaited.
  return [action.type === 'answer_dialog' ? `${call};` : `await ${call};`];
}

function pageName(page: number): string {
  return page === 0 ? 'page' : `page${page}`;
}

function callOf(action: BrowserAction, page: string): string {
  const not = 'negated' in action && action.negated === true ? '.not' : '';
  switch (action.type) {
    case 'goto': {
      const referer = action.referer === undefined ? '' : `, { referer: ${writeText(action.referer)} }`;
      return `${page}.goto(${writeText(action.url)}${referer})`;
    }
    case 'go_back':
      return `${page}.goBack()`;
    case 'go_forward':
      return `${page}.goForward()`;
    case 'reload':
      return `${page}.reload()`;
    case 'close_page':
      return `${page}.close()`;
    case 'pause':
      return `${page}.waitForTimeout(${action.durationMs})`;
    case 'viewport':
      return `${page}.setViewportSize({ width: ${action.width}, height: ${action.height} })`;
    case 'extra_headers': {
      const headers = action.headers.map(([name, value]) => `${quote(name)}: ${writeText(value)}`);
      return `${page}.context().setExtraHTTPHeaders({ ${headers.join(', ')} })`;
    }
    case 'emulate_media': {
      const { line: _line, page: _page, type: _type, navigates: _navigates, ...media } = action;
      const options = Object.entries(media).map(([name, value]) => `${name}: ${quote(value ?? '')}`);
      return `${page}.emulateMedia({ ${options.join(', ')} })`;
    }
    case 'answer_dialog': {
      const text = action.text === null ? '' : writeText(action.text);
      const answer = action.accept ? `accept(${text})` : 'dismiss()';
      return `${page}.${action.every ? 'on' : 'once'}('dialog', (dialog) => dialog.${answer})`;
    }
    case 'expect_url':
      return `expect(${page})${not}.toHaveURL(${writeMatch(action.match)})`;
    case 'expect_title':
      return `expect(${page})${not}.toHaveTitle(${writeMatch(action.match)})`;
    case 'press':
    case 'scroll':
      return onElementOrPage(action, page);
    case 'key_down':
    case 'key_up':
    case 'type_keys':
    case 'insert_text':
    case 'mouse_move':
    case 'mouse_down':
    case 'mouse_up':
    case 'mouse_click':
    case 'wheel':
      return `${page}.${inputCall(action)}`;
    default:
      return writeElementAction(action, (locator) => writeLocator(page, locator));
  }
}

function onElementOrPage(action: BrowserAction & { type: 'press' | 'scroll' }, page: string): string {
  const element = action.locator === null ? null : writeLocator(page, action.locator);
  if (action.type === 'press') {
    const key = writeText(action.key);
    return element === null ? `${page}.keyboard.press(${key})` : `${element}.press(${key})`;
  }
  const place = `${action.x}, ${action.y}`;
  return element === null
    ? `${page}.evaluate(() => window.scroll(${place}))`
    : `${element}.evaluate((element) => element.scroll(${place}))`;
}

type Input = Extract<
  BrowserAction,
  { type: 'key_down' | 'key_up' | 'type_keys' | 'insert_text' | 'wheel' | `mouse_${string}` }
>;

function inputCall(action: Input): string {
  switch (action.type) {
    case 'key_down':
      return `keyboard.down(${writeText(action.key)})`;
    case 'key_up':
      return `keyboard.up(${writeText(action.key)})`;
    case 'type_keys':
      return `keyboard.type(${writeText(action.value)})`;
    case 'insert_text':
      return `keyboard.insertText(${writeText(action.value)})`;
    case 'wheel':
      return `mouse.wheel(${action.deltaX}, ${action.deltaY})`;
    case 'mouse_move':
      return `mouse.move(${action.x}, ${action.y})`;
    case 'mouse_click':
      return `mouse.click(${action.x}, ${action.y}, ${buttonOf(action)})`;
    case 'mouse_down':
      return `mouse.down(${buttonOf(action)})`;
    case 'mouse_up':
      return `mouse.up(${buttonOf(action)})`;
  }
}

function buttonOf({ button, clicks }: { button: string; clicks: number }): string {
  return `{ button: ${quote(button)}, clickCount: ${clicks} }`;
}

/** An action on an element, or an expectation of one. */
type OnElement = Extract<BrowserAction, { locator: Locator }>;

/** @param locate writes a locator */
function writeElementAction(action: OnElement, locate: (locator: Locator) => string): string {
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

/** A locator as an expression of JavaScript. */
function writeLocator(page: string, locator: Locator): string {
  return [page, ...locator.map((part) => callOfLocator(page, part))].join('.');
}

const methods = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt_text: 'getByAltText',
  title: 'getByTitle',
};

function callOfLocator(page: string, part: LocatorPart): string {
  switch (part.by) {
    case 'role':
      return `getByRole(${[quote(part.role), ...roleOptions(part.name, part.states ?? {})].join(', ')})`;
    case 'selector':
      return `locator(${writeText(part.selector)})`;
    case 'frame':
      return `frameLocator(${writeText(part.selector)})`;
    case 'has_text':
      return `filter({ hasText: ${writeMatch(part.match)} })`;
    case 'has_not_text':
      return `filter({ hasNotText: ${writeMatch(part.match)} })`;
    case 'visible':
      return `filter({ visible: ${part.visible} })`;
    case 'nth':
      return nth(part.index);
    case 'content_frame':
      return 'contentFrame()';
    case 'owner':
      return 'owner()';
    case 'has':
      return `filter({ has: ${writeLocator(page, part.locator)} })`;
    case 'has_not':
      return `filter({ hasNot: ${writeLocator(page, part.locator)} })`;
    case 'and':
    case 'or':
      return `${part.by}(${writeLocator(page, part.locator)})`;
    case 'within_each':
      return `locator(${writeLocator(page, part.locator)})`;
    case 'test_id':
      return `getByTestId(${writeMatch(part.match)})`;
    default:
      return `${methods[part.by]}(${writeMatch(part.match)}${isExact(part.match) ? ', { exact: true }' : ''})`;
  }
}

function nth(index: number): string {
  if (index === 0) return 'first()';
  return index === -1 ? 'last()' : `nth(${index})`;
}

function roleOptions(name: TextMatch | null, { description, ...flags }: RoleStates): string[] {
  const options = [
    ...(name === null ? [] : [`name: ${writeMatch(name)}`]),
    ...(description === undefined ? [] : [`description: ${writeMatch(description)}`]),
    ...([name, description].some((match) => match != null && isExact(match)) ? ['exact: true'] : []),
    ...Object.entries(flags).map(([flag, value]) => `${flag}: ${JSON.stringify(value)}`),
  ];
  return options.length === 0 ? [] : [`{ ${options.join(', ')} }`];
}

function writeMatch(match: TextMatch): string {
  if (match.type === 'text') return writeText(match.text);
  // A slash or a line end would end the literal; in a constructor's string they do not.
  return /^(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^\\/[\n])+$/.test(match.pattern)
    ? `/${match.pattern}/${match.flags}`
    : `new RegExp(${quote(match.pattern)}, ${quote(match.flags)})`;
}

/** Secrets come from environment variables of their names. */
function writeText(value: string): string {
  return asJavaScript(piecesOfAction(value), ({ text }) => `process.env.${text} ?? ''`);
}
