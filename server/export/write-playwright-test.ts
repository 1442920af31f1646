import type { BrowserAction, Locator, LocatorPart, TextMatch } from '../../shared/browser-actions.ts';
import { asJavaScript, quote } from './placeholders.ts';

/** Actions as a test of @playwright/test in TypeScript. Secrets come from environment variables of their names. */
export function writePlaywrightTest(name: string, actions: readonly BrowserAction[]): string {
  const lines = actions.flatMap(linesOf).map((line) => `  ${line}`);
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
  return [`await ${callOf(action, page)};`];
}

function pageName(page: number): string {
  return page === 0 ? 'page' : `page${page}`;
}

function callOf(action: BrowserAction, page: string): string {
  switch (action.type) {
    case 'goto':
      return `${page}.goto(${text(action.url)})`;
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
    case 'press':
      return action.locator === null
        ? `${page}.keyboard.press(${text(action.key)})`
        : `${locate(page, action.locator)}.press(${text(action.key)})`;
    case 'expect_url':
      return `expect(${page}).toHaveURL(${matcher(action.match)})`;
    case 'expect_title':
      return `expect(${page}).toHaveTitle(${matcher(action.match)})`;
    default:
      return callOnLocator(action, locate(page, action.locator));
  }
}

type OnLocator = Extract<BrowserAction, { locator: Locator }>;

function callOnLocator(action: OnLocator, locator: string): string {
  switch (action.type) {
    case 'click':
      return `${locator}.${action.clicks === 2 ? 'dblclick' : 'click'}(${clickOptions(action)})`;
    case 'check':
    case 'uncheck':
    case 'hover':
    case 'focus':
      return `${locator}.${action.type}()`;
    case 'fill':
      return `${locator}.fill(${text(action.value)})`;
    case 'type_text':
      return `${locator}.pressSequentially(${text(action.value)})`;
    case 'select_option':
      return `${locator}.selectOption([${action.options.map(text).join(', ')}])`;
    case 'expect_visible':
      return `expect(${locator}).toBeVisible()`;
    case 'expect_hidden':
      return `expect(${locator}).toBeHidden()`;
    case 'expect_checked':
      return `expect(${locator}).toBeChecked()`;
    case 'expect_text':
      return `expect(${locator}).${action.contains ? 'toContainText' : 'toHaveText'}(${matcher(action.match)})`;
    case 'expect_value':
      return `expect(${locator}).toHaveValue(${matcher(action.match)})`;
    case 'expect_count':
      return `expect(${locator}).toHaveCount(${action.count})`;
  }
}

function clickOptions({ button, clicks }: BrowserAction & { type: 'click' }): string {
  const options = [
    ...(button === 'left' ? [] : [`button: ${quote(button)}`]),
    ...(clicks === 3 ? ['clickCount: 3'] : []),
  ];
  return options.length === 0 ? '' : `{ ${options.join(', ')} }`;
}

function locate(page: string, locator: Locator): string {
  return [page, ...locator.map(locatorCall)].join('.');
}

const methods = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt_text: 'getByAltText',
  title: 'getByTitle',
  test_id: 'getByTestId',
};

function locatorCall(part: LocatorPart): string {
  switch (part.by) {
    case 'role': {
      const name = part.name === null ? '' : `, { name: ${matcher(part.name)}${exact(part.name)} }`;
      return `getByRole(${quote(part.role)}${name})`;
    }
    case 'selector':
      return `locator(${text(part.selector)})`;
    case 'frame':
      return `frameLocator(${text(part.selector)})`;
    case 'has_text':
      return `filter({ hasText: ${matcher(part.match)} })`;
    case 'nth':
      return part.index === 0 ? 'first()' : part.index === -1 ? 'last()' : `nth(${part.index})`;
    case 'test_id':
      return `getByTestId(${matcher(part.match)})`;
    default: {
      const isExact = exact(part.match) === '' ? '' : ', { exact: true }';
      return `${methods[part.by]}(${matcher(part.match)}${isExact})`;
    }
  }
}

function exact(match: TextMatch): string {
  return match.type === 'text' && match.exact ? ', exact: true' : '';
}

function matcher(match: TextMatch): string {
  if (match.type === 'text') return text(match.text);
  // A slash or a line end would end the literal; in a constructor's string they do not.
  return /^(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^\\/[\n])+$/.test(match.pattern)
    ? `/${match.pattern}/${match.flags}`
    : `new RegExp(${quote(match.pattern)}, ${quote(match.flags)})`;
}

function text(value: string): string {
  return asJavaScript(value, ({ text }) => `process.env.${text} ?? ''`);
}
