import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { piecesOfAction, quote } from './placeholders.ts';
import { writeElementAction } from './write-element-action.ts';
import { writeLocator, writeMatch, writeText } from './write-locator.ts';

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
