import type { Locator, LocatorPart, RoleStates, TextMatch } from '../../../shared/scenario/locator.ts';
import { asJavaScript, piecesOfAction, quote } from './placeholders.ts';

/** A locator as an expression of JavaScript. */
export function writeLocator(page: string, locator: Locator): string {
  return [page, ...locator.map((part) => callOf(page, part))].join('.');
}

const methods = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt_text: 'getByAltText',
  title: 'getByTitle',
};

function callOf(page: string, part: LocatorPart): string {
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

function isExact(match: TextMatch): boolean {
  return match.type === 'text' && match.exact;
}

export function writeMatch(match: TextMatch): string {
  if (match.type === 'text') return writeText(match.text);
  // A slash or a line end would end the literal; in a constructor's string they do not.
  return /^(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^\\/[\n])+$/.test(match.pattern)
    ? `/${match.pattern}/${match.flags}`
    : `new RegExp(${quote(match.pattern)}, ${quote(match.flags)})`;
}

/** Secrets come from environment variables of their names. */
export function writeText(value: string): string {
  return asJavaScript(piecesOfAction(value), ({ text }) => `process.env.${text} ?? ''`);
}
