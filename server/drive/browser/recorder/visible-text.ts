import type { Expectation } from '../replay/check-expectation.ts';

/** The step that says: the first element with this text can be seen. */
export function visibleText(page: number, text: string): Expectation {
  return {
    ...{ type: 'expect_visible', line: null, page },
    locator: [
      { by: 'text', match: { type: 'text', text, exact: false } },
      { by: 'nth', index: 0 },
    ],
  };
}
