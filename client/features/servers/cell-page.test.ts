/** Protects the headline of a cell: it never says more than its interval. */
import { expect, test } from 'vitest';
import { cellHeadline } from './cell-page.tsx';

const flat = { center: 1, lo: 1, hi: 1 };
const said = (center: number, lo: number, hi: number) =>
  cellHeadline({
    throughput: { http: flat, https: flat, ratio: { center, lo, hi }, twinRatio: flat },
    failures: [],
  });

test.each([
  [0.8, 0.75, 0.85, 'HTTPS answers 20.0 % fewer requests per second (95 % CI 15.0 to 25.0 %)'],
  [1.1, 1.05, 1.15, 'HTTPS answers 10.0 % more requests per second (95 % CI 5.0 to 15.0 %)'],
  [0.98, 0.95, 1.01, 'HTTPS answers between 5.0 % fewer and 1.0 % more requests per second'],
])('a ratio of %d (%d to %d): %s', (center, lo, hi, sentence) => {
  expect(said(center, lo, hi)).toBe(sentence);
});

test('a cell without figures says why', () => {
  expect(cellHeadline({ throughput: null, failures: ['nginx fell over.'] })).toBe('nginx fell over.');
  expect(cellHeadline({ throughput: null, failures: [] })).toBe('This combination was not measured');
});
