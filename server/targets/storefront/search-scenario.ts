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
