import type { Node } from '@babel/types';
import type { TextMatch } from '../../../../shared/scenario/locator.ts';
import { resolveReference } from '../../../base/addresses/origin.ts';
import { Misunderstood } from './meaning.ts';
import { readValue, textOf } from './read-value.ts';
import { type Call, resolveUrl, type TestDraft } from './test-draft.ts';

/** An address that is waited for: a pattern, or a text that may be a glob, under the baseURL. */
export function readUrlMatch(node: Node | undefined, { scope, reading: { draft } }: Call): TextMatch {
  if (node === undefined) throw new Misunderstood('An address is missing.');
  const value = readValue(node, scope);
  if (value.is === 'pattern') return value.match;
  const glob = textOf(value);
  if (!/[*{\\]/.test(glob)) return { type: 'text', text: resolveUrl(glob, draft), exact: true };
  return { type: 'pattern', pattern: patternOf(withBase(glob, draft)), flags: '' };
}

/** A parser of addresses would encode what stands for others. */
function withBase(glob: string, { baseUrl }: TestDraft): string {
  const isRelative = !/^(?:\*|[a-z][\w+.-]*:|\{)/i.test(glob);
  if (!isRelative || baseUrl === null) return glob;
  const base = resolveReference(glob.startsWith('/') ? '/' : '.', baseUrl)?.href ?? '';
  return base + glob.replace(/^\//, '');
}

const special = /[$^+.()|[\]?\\]/;

/** As Playwright reads a glob: `**` stands for anything, `*` for all but a slash, and `{a,b}` for one of them. */
function patternOf(glob: string): string {
  let inGroup = false;
  const tokens = glob.matchAll(/\\(.)|(\/?)\*\*+\/|\*\*+|\*|[\s\S]/g);
  const pieces = [...tokens].map(([token, escaped, slash]) => {
    if (escaped !== undefined)
      return special.test(escaped) || /[*{},]/.test(escaped) ? `\\${escaped}` : escaped;
    if (slash !== undefined) return slash === '' ? '(?:.*/)' : '/(?:.+/)?';
    if (token.startsWith('**')) return '.*';
    if (token === '*') return '[^/]*';
    if (token === '{' || token === '}') {
      inGroup = token === '{';
      return inGroup ? '(?:' : ')';
    }
    if (token === ',' && inGroup) return '|';
    return special.test(token) ? `\\${token}` : token;
  });
  if (inGroup) throw new Misunderstood('The address has a { without its }.');
  return `^${pieces.join('')}$`;
}
