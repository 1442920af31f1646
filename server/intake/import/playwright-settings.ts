import type { Expression, Node } from '@babel/types';
import { media, viewport } from './playwright-actions.ts';
import { addAction, type Call, leaveOut, quietSettings, type TestDraft } from './playwright-options.ts';
import { type Meaning, Misunderstood, propertyName, readText } from './playwright-values.ts';

type Within = Pick<Call, 'scope' | 'reading'>;

const longestBase = 8192;

/** Options of `test.use()`, `newContext()`, and `newPage()`: each is done, listed, or refused on its own line. */
export function applySettings(node: Node | undefined, { scope, reading: { draft, line } }: Within): void {
  if (node === undefined) return;
  if (node.type !== 'ObjectExpression') throw new Misunderstood('The settings must be written out in place.');
  for (const property of node.properties) {
    const reading = { draft, line: property.loc?.start.line ?? line };
    try {
      if (property.type !== 'ObjectProperty' || property.computed)
        throw new Misunderstood('A device or other settings from elsewhere are not known. Write them out.');
      applySetting(propertyName(property.key), property.value as Expression, { scope, reading });
    } catch (error) {
      if (!(error instanceof Misunderstood)) throw error;
      draft.unsupported.push({ line: reading.line, reason: error.message });
    }
  }
}

function applySetting(name: string, value: Expression, { scope, reading }: Within): void {
  if (name === 'baseURL') {
    const base = readText(value, scope);
    // Each address of the test is put behind it, and a scenario has none that is as long.
    if (base.length > longestBase)
      throw new Misunderstood(`A base address may have ${longestBase} characters.`);
    reading.draft.baseUrl = base;
  } else if (name === 'viewport' && value.type !== 'NullLiteral') {
    addAction(reading, { page: 0, ...viewport(value, scope) });
  } else if (name === 'colorScheme') {
    const colorScheme = media.colorScheme(value, { scope }, name);
    addAction(reading, { type: 'emulate_media', page: 0, colorScheme });
  } else if (name === 'viewport' || quietSettings.has(name)) leaveOut(reading, name);
  else
    throw new Misunderstood(`The setting ${name} is not supported. ${instead.get(name) ?? 'Leave it out.'}`);
}

const instead: ReadonlyMap<string, string> = new Map([
  ['extraHTTPHeaders', 'Use page.setExtraHTTPHeaders() instead.'],
  ['httpCredentials', 'Write the user in front of the host instead.'],
  ['storageState', 'Sign in with steps of the test instead.'],
]);

/** `Promise.all([page.waitForURL(…), button.click()])`: events are expected first, and waits end after what is done. */
export function readAll({ args: [node], read, reading: { draft } }: Call): Meaning {
  if (node?.type !== 'ArrayExpression') throw new Misunderstood('Promise.all needs its list in place.');
  const elements = node.elements.map((element) => {
    if (element === null || element.type === 'SpreadElement')
      throw new Misunderstood('Promise.all needs its list in place.');
    return element;
  });
  const meanings = new Map<Expression, Meaning>();
  for (const turn of ['event', 'action', 'wait'] as const) {
    for (const element of elements) if (turnOf(element) === turn) meanings.set(element, read(element));
  }
  const items = elements.map((element) => opened(meanings.get(element), draft));
  return { is: 'list', items };
}

/** A wait that is begun and not awaited yet: `const loaded = page.waitForURL('**\/cart')`. */
export function isWait(node: Node): boolean {
  return turnOf(node) === 'wait';
}

function turnOf(node: Node): 'event' | 'action' | 'wait' {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return 'action';
  const method = node.callee.computed ? '' : propertyName(node.callee.property);
  if (method === 'waitForEvent') return 'event';
  return /^waitFor(?!Timeout)/.test(method) ? 'wait' : 'action';
}

/** A pop-up is a page once the click that opens it is known: the last one. */
export function opened(meaning: Meaning | undefined, { actions }: TestDraft): Meaning {
  if (meaning?.is !== 'popup') return meaning ?? { is: 'nothing' };
  const click = actions.findLast(({ type }) => type === 'click');
  if (click?.type === 'click') click.opens = meaning.page;
  return { is: 'page', page: meaning.page };
}

/** The languages other than JavaScript that codegen writes, each with words that only it has. */
const languages = [
  {
    name: 'Python',
    signs:
      /^[ \t]*(?:from|import) playwright\b|\(page: Page\) ->|\.get_by_\w+\(|\)\.to_(?:be|contain|have|match)_/m,
  },
  {
    name: 'Java',
    signs:
      /^[ \t]*import (?:static )?com\.microsoft\.playwright\b|\bpage\.navigate\(|\bassertThat\(|\bAriaRole\.[A-Z]{2}/m,
  },
  {
    name: 'C#',
    signs:
      /^[ \t]*using Microsoft\.Playwright|\bPage\.(?:Goto|Click|Fill|GetBy|Locator)\w*\(|\.(?:GotoAsync|ClickAsync|FillAsync)\(/m,
  },
] as const;

/** Advice on a Playwright test in another language; null when the text is none. */
export function adviceOnLanguage(text: string): string | null {
  if (/@playwright\/test|require\(\s*['"]playwright/.test(text)) return null;
  const language = languages.find(({ signs }) => signs.test(text));
  if (language === undefined) return null;
  const [, url = 'URL'] = /(?:goto|navigate|GotoAsync)\(\s*"(https?:\/\/[^"\s]+)"/i.exec(text) ?? [];
  return `This is a Playwright test in ${language.name}, and only JavaScript and TypeScript are imported. Record it again with npx playwright codegen --target javascript ${url.replace(/^(\w+:\/\/)[^/@]*@/, '$1')}`;
}
