import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';

/**
 * The Search scenario of the 2003 study: home page, search form, search. One pass runs all four procedures:
 * ProductCategoryList, ProductsMostPopular, ReviewsLatest and ProductSearch.
 */
export const searchScenario: Scenario = scenarioSchema.parse({
  id: 'search',
  name: 'Search',
  description: 'Opens the shop, goes to the search form and searches all departments for two words.',
  steps: [
    { name: 'Home', method: 'GET', path: '/' },
    { name: 'Search form', method: 'GET', path: '/search' },
    {
      name: 'Search',
      method: 'POST',
      path: '/search',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'q=travel+lamp&category=0',
    },
  ],
  pages: ['/', '/search', '/account'],
  sensitivePaths: ['/account'],
});

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
