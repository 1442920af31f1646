/** Protects the filter in the address of the list: it is read back as it was written, and nonsense filters nothing. */
import { expect, test } from 'vitest';
import { isFiltering, outcomeOf, printFilter, readFilter, readOutcome } from './list-filter.ts';

const emptyFilter = readFilter(new URLSearchParams());

test('the address holds the chosen filters and nothing else', () => {
  const filter = {
    ...({ kind: 'comparison', state: '', verdict: 'no_overhead' } as const),
    ...{ target: 'http://127.0.0.1:1 | https://127.0.0.1:2', tag: 'עברית', q: 'a & b' },
  };
  expect(readFilter(printFilter(filter))).toEqual(filter);
  expect(printFilter(filter).has('state')).toBe(false);
  expect(`${printFilter(emptyFilter)}`).toBe('');
  expect([isFiltering(filter), isFiltering(emptyFilter)]).toEqual([true, false]);
});

test('no filter is empty in each field', () => {
  expect(new Set(Object.values(emptyFilter))).toEqual(new Set(['']));
});

test('values that are not understood filter nothing', () => {
  const query = new URLSearchParams('kind=race&state=done&verdict=guilty&page=3');
  expect(readFilter(query)).toEqual(emptyFilter);
});

test.each(['', 'state:running', 'state:refused', 'verdict:refused', 'verdict:overhead'])(
  'the outcome %j is chosen and shown as itself',
  (outcome) => {
    expect(outcomeOf({ ...emptyFilter, ...readOutcome(outcome) })).toBe(outcome);
  },
);
