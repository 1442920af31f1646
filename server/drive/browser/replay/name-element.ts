import type { Locator, LocatorPart, TextMatch } from '../../../../shared/scenario/locator.ts';

/** What a locator means, without an article: `textbox “Search”`. */
export function nameElement(locator: Locator): string {
  const part = locator.findLast(({ by }) => says.has(by));
  return part === undefined ? 'element' : nameOf(part);
}

const says: ReadonlySet<string> = new Set([
  ...['role', 'text', 'label', 'placeholder', 'alt_text', 'title', 'test_id', 'selector', 'has_text'],
]);

function nameOf(part: LocatorPart): string {
  switch (part.by) {
    case 'role':
      return part.name === null ? part.role : `${part.role} ${quoteMatch(part.name)}`;
    case 'selector':
      return `element ${shorten(part.selector)}`;
    case 'label':
    case 'placeholder':
      return `field ${quoteMatch(part.match)}`;
    case 'test_id':
      return `element with the test ID ${quoteMatch(part.match)}`;
    case 'alt_text':
      return `image ${quoteMatch(part.match)}`;
    case 'title':
      return `element with the title ${quoteMatch(part.match)}`;
    default:
      return 'match' in part ? `text ${quoteMatch(part.match)}` : 'element';
  }
}

export function quoteMatch(match: TextMatch): string {
  return match.type === 'text' ? quote(match.text) : shorten(`/${match.pattern}/${match.flags}`);
}

export function quote(text: string): string {
  return `“${shorten(text.replace(/\s+/g, ' ').trim())}”`;
}

/** With an ellipsis where something was left out. */
export function shorten(text: string, most = 80): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
