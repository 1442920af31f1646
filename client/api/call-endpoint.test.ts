import { expect, test } from 'vitest';
import { addressOf } from './call-endpoint.ts';

test('an address has its parameters filled in, and no empty query', () => {
  expect(addressOf('showRun', { params: { id: 'abc' } })).toBe('/api/v1/runs/abc');
  expect(addressOf('listRuns', { query: { q: '', state: undefined } })).toBe('/api/v1/runs');
  expect(addressOf('listRuns', { query: { q: 'a b&c', limit: '5' } })).toBe('/api/v1/runs?q=a+b%26c&limit=5');
});

test('a parameter cannot leave its place in the path', () => {
  expect(addressOf('cancelRun', { params: { id: '../x' } })).toBe('/api/v1/runs/..%2Fx/cancel');
});
