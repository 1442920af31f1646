/** Protects what can be done with selected results: two of a kind are compared, and only one's own are deleted. */

import { expect, test } from 'vitest';
import { kindNames } from '../../../shared/measurement/kind-names.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import {
  comparisonOf,
  deletableOf,
  isFiltering,
  outcomeOf,
  printFilter,
  readFilter,
  readOutcome,
  refreshed,
  type Selection,
  toggle,
} from './runs-page.tsx';

const result = (id: string, change: object = {}) =>
  ({ id, kind: 'comparison', state: 'finished', createdAt: Number(id), ...change }) as MeasurementSummary;
const ticked = (...results: MeasurementSummary[]): Selection => results.reduce(toggle, new Map());
const problem = { problem: expect.stringMatching(/compared?.*\.$/) };

test('selecting a result twice clears it', () => {
  expect([...ticked(result('1'), result('2'), result('1')).keys()]).toEqual(['2']);
});

test('two of the same kind are compared, the older one first, in whatever order they were selected', () => {
  expect(comparisonOf(ticked(result('2'), result('1')))).toEqual({ href: '/c/1..2' });
  for (const kind of kindNames) {
    expect(comparisonOf(ticked(result('3', { kind }), result('4', { kind })))).toEqual({ href: '/c/3..4' });
  }
});

test('only two finished results of the same kind can be compared', () => {
  for (const selection of [
    ticked(),
    ticked(result('1')),
    ticked(result('1'), result('2'), result('3')),
    ticked(result('1'), result('2', { kind: 'servers' })),
    ticked(result('1'), result('2', { state: 'running' })),
    ticked(result('1', { state: 'refused' }), result('2')),
  ]) {
    expect(comparisonOf(selection)).toEqual(problem);
  }
});

test('a run that ended after it was selected can be compared and deleted, one that is no longer listed stays', () => {
  const selection = ticked(result('1'), result('2', { state: 'running' }));
  const current = refreshed(selection, [result('3'), result('2')]);
  expect(comparisonOf(current)).toEqual({ href: '/c/1..2' });
  expect(deletableOf(current, () => true)).toEqual(['1', '2']);
});

test('what has not ended, or was started elsewhere, is not deleted', () => {
  const selection = ticked(result('1'), result('2', { state: 'queued' }), result('3'));
  expect(deletableOf(selection, (id) => id !== '3')).toEqual(['1']);
});

/** Protects the filter in the address of the list: it is read back as it was written, and nonsense filters nothing. */

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
