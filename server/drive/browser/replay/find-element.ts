import type { FrameLocator, Locator, Page } from 'playwright-core';
import type {
  LocatorPart,
  Locator as RecordedLocator,
  TextMatch,
} from '../../../../shared/scenario/locator.ts';

type Root = Page | Locator | FrameLocator;

/** The element that a recorded locator means, as Playwright's own locator. */
export function findElement(page: Page, parts: RecordedLocator): Locator {
  const found = parts.reduce<Root>((root, part) => narrow(root, part, page), page);
  // A frame alone is its own document; a page alone cannot be, as a locator has a part.
  return 'click' in found && found !== page ? (found as Locator) : (found as FrameLocator).locator(':root');
}

function narrow(root: Root, part: LocatorPart, page: Page): Root {
  switch (part.by) {
    case 'role':
      return root.getByRole(part.role as Parameters<Page['getByRole']>[0], roleOptions(part));
    case 'text':
    case 'label':
    case 'placeholder':
    case 'alt_text':
    case 'title':
      return root[finders[part.by]](matchOf(part.match), { exact: isExact(part.match) });
    case 'test_id':
      return root.getByTestId(matchOf(part.match));
    case 'selector':
      return root.locator(part.selector);
    case 'frame':
      return root.frameLocator(part.selector);
    case 'owner':
      return (root as FrameLocator).owner();
    case 'nth':
      return part.index < 0 ? (root as Locator).last() : (root as Locator).nth(part.index);
    default:
      return narrowLocator(root as Locator, part, page);
  }
}

const finders = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt_text: 'getByAltText',
  title: 'getByTitle',
} as const;

type Narrowing = Extract<
  LocatorPart,
  { by: `has${string}` | 'visible' | 'content_frame' | 'and' | 'or' | 'within_each' }
>;

function narrowLocator(root: Locator, part: Narrowing, page: Page): Locator | FrameLocator {
  switch (part.by) {
    case 'has_text':
      return root.filter({ hasText: matchOf(part.match) });
    case 'has_not_text':
      return root.filter({ hasNotText: matchOf(part.match) });
    case 'visible':
      return root.filter({ visible: part.visible });
    case 'content_frame':
      return root.contentFrame();
    case 'has':
      return root.filter({ has: findElement(page, part.locator) });
    case 'has_not':
      return root.filter({ hasNot: findElement(page, part.locator) });
    case 'and':
    case 'or':
      return root[part.by](findElement(page, part.locator));
    case 'within_each':
      return root.locator(findElement(page, part.locator));
  }
}

function roleOptions({ name, states = {} }: Extract<LocatorPart, { by: 'role' }>) {
  const { description, ...flags } = states;
  const texts = {
    ...(name === null ? {} : { name: matchOf(name) }),
    ...(description === undefined ? {} : { description: matchOf(description) }),
  };
  // A test gives both texts at once, and one word on how exactly they are meant.
  const exact = [name, description].some((match) => match != null && isExact(match));
  return { ...texts, ...flags, exact } as Parameters<Page['getByRole']>[1];
}

function matchOf(match: TextMatch): string | RegExp {
  return match.type === 'text' ? match.text : new RegExp(match.pattern, match.flags);
}

function isExact(match: TextMatch): boolean {
  return match.type === 'text' && match.exact;
}
