/** Protects links to a view: what they say is read, and what they say wrong takes nothing else away. */
import { expect, test } from 'vitest';
import { defaultViewState, parseViewState, printViewState } from './shown-measurement.ts';

const read = (query: string) => parseViewState(new URLSearchParams(query));

test('a view is read as it was printed, and the default is an empty query', () => {
  const view = { ...defaultViewState, m: 'latency_p50', chart: 'percentiles', unit: 'us' } as const;
  expect(parseViewState(printViewState(view))).toEqual(view);
  expect(printViewState(defaultViewState).size).toBe(0);
});

test.each([
  ['m=cpu_lone', 'cpu_lone'],
  ['m=nothing', 'cpu_at_load'],
  ['m=constructor', 'cpu_at_load'],
])('a link with ?%s opens with %s', (query, metric) => {
  expect(read(query).m).toBe(metric);
});

test('an unknown metric takes nothing else of the link away', () => {
  expect(read('v=1&m=nothing&chart=percentiles&y=log')).toMatchObject({ chart: 'percentiles', y: 'log' });
});
