import type { Expression, Node } from '@babel/types';
import { quietSettings } from './known-members.ts';
import { Misunderstood } from './meaning.ts';
import { media, viewport } from './page-actions.ts';
import { propertyName, readText } from './read-value.ts';
import { addAction, type Call, leaveOut } from './test-draft.ts';

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
