import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';

/** The Search scenario as a person does it: from the home page over the link to the form, and through it. */
export const searchJourney: BrowserAction[] = [
  { type: 'goto', url: '/' },
  { type: 'click', locator: [link('Search')], button: 'left', clicks: 1, opens: null },
  { type: 'fill', locator: [{ by: 'selector', selector: '#q' }], value: 'travel lamp' },
  { type: 'press', locator: [{ by: 'selector', selector: '#q' }], key: 'Enter' },
  { type: 'expect_title', match: { type: 'pattern', pattern: '^Search results for travel lamp', flags: '' } },
].map((action) => browserActionSchema.parse({ line: null, page: 0, ...action }));

function link(text: string) {
  return { by: 'role', role: 'link', name: { type: 'text', text, exact: true } };
}
