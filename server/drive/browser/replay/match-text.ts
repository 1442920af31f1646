import type { TextMatch } from '../../../../shared/scenario/locator.ts';
import { compilePattern } from '../../../intake/scenario/pattern.ts';

/** Letter by letter; or with white space counted once, as Playwright counts it, the whole text or a part of it. */
type Reach = 'as it is' | 'whole' | 'part';

export function matches(text: string, match: TextMatch, reach: Reach): boolean {
  if (match.type === 'pattern') {
    const flags = match.flags.replace(/[^ims]/g, '');
    // One group around it all: its own groups may have no part in a match.
    const pattern = `${flags === '' ? '' : `(?${flags})`}(${match.pattern})`;
    return compilePattern(pattern).firstIn(text) !== null;
  }
  if (reach === 'as it is') return text === match.text;
  const plain = collapse(text);
  const sought = collapse(match.text);
  return reach === 'part' ? plain.includes(sought) : plain === sought;
}

function collapse(text: string): string {
  return text
    .replace(/[\u200b\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
