import type { Expression, Node } from '@babel/types';
import type { RecordedHeaders } from '../../../shared/recording.ts';
import { standingOf } from './api/known-api.ts';
import { settingsApi } from './api/settings-api.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readNumber, readWord } from './read-options.ts';
import { propertyName, readJson, readOptions, readText } from './read-value.ts';
import { addAction, leaveOut, type Reading } from './test-draft.ts';

const longestBase = 8192;

/** Options of `test.use()`, `newContext()` and `newPage()`: each is done, listed or refused on its own line. */
export function applySettings(node: Node | undefined, scope: Scope, { draft, line }: Reading): void {
  if (node === undefined) return;
  if (node.type !== 'ObjectExpression') throw new Misunderstood('The settings must be written out in place.');
  for (const property of node.properties) {
    const reading = { draft, line: property.loc?.start.line ?? line };
    try {
      if (property.type !== 'ObjectProperty' || property.computed)
        throw new Misunderstood('A device or other settings from elsewhere are not known. Write them out.');
      const name = propertyName(property.key);
      applySetting(name, property.value as Expression, scope, reading);
    } catch (error) {
      if (!(error instanceof Misunderstood)) throw error;
      draft.unsupported.push({ line: reading.line, reason: error.message });
    }
  }
}

function applySetting(name: string, value: Expression, scope: Scope, reading: Reading): void {
  const standing = standingOf(settingsApi, name);
  if (standing === null) throw new Misunderstood(`The setting ${name} is unknown.`);
  if (standing === 'without effect') {
    leaveOut(reading, name);
    return;
  }
  if (standing !== 'done') throw new Misunderstood(`${name} ${standing.reason}`);
  switch (name) {
    case 'baseURL':
      reading.draft.baseUrl = readBase(value, scope);
      return;
    case 'testIdAttribute':
      reading.draft.testIdAttribute = readText(value, scope);
      return;
    case 'browserName':
      readWord(value, scope, 'The browser of a replay is Chromium. browserName', ['chromium']);
      return;
    case 'viewport':
      if (value.type === 'NullLiteral') leaveOut(reading, name);
      else addViewport(value, scope, reading);
      return;
    case 'extraHTTPHeaders':
      addHeaders(0, value, scope, reading);
      return;
    default:
      addMedia(0, new Map([[name, value]]), scope, reading);
  }
}

/** Each address of the test is put behind it, and a scenario has none that is as long. */
function readBase(node: Node, scope: Scope): string {
  const base = readText(node, scope);
  if (base.length > longestBase)
    throw new Misunderstood(`A base address may have ${longestBase} characters.`);
  return base;
}

function addViewport(node: Node, scope: Scope, reading: Reading): void {
  const size = readOptions(node);
  const [width = 0, height = 0] = ['width', 'height'].map((name) => readNumber(size.get(name), scope));
  addAction(reading, { type: 'viewport', page: 0, width, height });
}

/** Of all requests from now on, those of the test itself included. */
export function addHeaders(page: number, node: Node | undefined, scope: Scope, reading: Reading): void {
  const given = node === undefined ? null : readJson(node, scope);
  if (typeof given !== 'object' || given === null) throw new Misunderstood('The headers must be an object.');
  const headers: RecordedHeaders = Object.entries(given).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  addAction(reading, { type: 'extra_headers', page, headers });
  reading.draft.headers = headers;
}

const mediaWords = {
  media: ['screen', 'print'],
  colorScheme: ['light', 'dark', 'no-preference'],
  reducedMotion: ['reduce', 'no-preference'],
  forcedColors: ['active', 'none'],
  contrast: ['more', 'no-preference'],
} as const;

export function addMedia(
  page: number,
  options: ReadonlyMap<string, Expression>,
  scope: Scope,
  reading: Reading,
): void {
  const media = Object.fromEntries(
    [...options].flatMap(([name, value]) => {
      if (!Object.hasOwn(mediaWords, name)) throw new Misunderstood(`emulateMedia with ${name} is unknown.`);
      // Null stands for the browser’s default.
      if (value.type === 'NullLiteral') return [];
      return [[name, readWord(value, scope, name, mediaWords[name as keyof typeof mediaWords])]];
    }),
  );
  addAction(reading, { type: 'emulate_media', page, ...media });
}
