import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { LocatorPart, Locator as RecordedLocator, TextMatch } from '../../../shared/browser-actions.ts';

type Root = Page | Locator | FrameLocator;

/** The element that a recorded locator means, as Playwright's own locator. */
export function findElement(page: Page, parts: RecordedLocator): Locator {
  const found = parts.reduce<Root>(narrow, page);
  // A frame alone is its own document; a page alone cannot be, as a locator has a part.
  return 'click' in found && found !== page ? (found as Locator) : (found as FrameLocator).locator(':root');
}

function narrow(root: Root, part: LocatorPart): Root {
  switch (part.by) {
    case 'role': {
      const named = part.name === null ? {} : { name: matchOf(part.name), exact: isExact(part.name) };
      return root.getByRole(part.role as Parameters<Page['getByRole']>[0], named);
    }
    case 'text':
      return root.getByText(matchOf(part.match), { exact: isExact(part.match) });
    case 'label':
      return root.getByLabel(matchOf(part.match), { exact: isExact(part.match) });
    case 'placeholder':
      return root.getByPlaceholder(matchOf(part.match), { exact: isExact(part.match) });
    case 'alt_text':
      return root.getByAltText(matchOf(part.match), { exact: isExact(part.match) });
    case 'title':
      return root.getByTitle(matchOf(part.match), { exact: isExact(part.match) });
    case 'test_id':
      return root.getByTestId(matchOf(part.match));
    case 'selector':
      return root.locator(part.selector);
    case 'frame':
      return root.frameLocator(part.selector);
    case 'has_text':
      return (root as Locator).filter({ hasText: matchOf(part.match) });
    case 'nth':
      return part.index < 0 ? (root as Locator).last() : (root as Locator).nth(part.index);
  }
}

export function matchOf(match: TextMatch): string | RegExp {
  return match.type === 'text' ? match.text : new RegExp(match.pattern, match.flags);
}

function isExact(match: TextMatch): boolean {
  return match.type === 'text' && match.exact;
}
