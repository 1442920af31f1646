/** Protects the address of a request: its parameters stay in their places. */
import { expect, test } from 'vitest';
import { addressOf } from './call-endpoint.ts';

test('an address has its parameters filled in, and no empty query', () => {
  expect(addressOf('showMeasurement', { params: { id: 'abc' } })).toBe('/api/v1/measurements/abc');
  expect(addressOf('listMeasurements', { query: { q: '', state: undefined } })).toBe('/api/v1/measurements');
  expect(addressOf('listMeasurements', { query: { q: 'a b&c', limit: '5' } })).toBe(
    '/api/v1/measurements?q=a+b%26c&limit=5',
  );
});

test('a parameter cannot leave its place in the path', () => {
  expect(addressOf('cancelMeasurement', { params: { id: '../x' } })).toBe(
    '/api/v1/measurements/..%2Fx/cancel',
  );
});
