/** Protects the address of a request: its parameters stay in their places. */

import { expect, test } from 'vitest';
import { addressOf } from './call-endpoint.ts';
import { measurementEndpoints } from './measurement-endpoints.ts';
import { documentEndpoints } from './session-endpoints.ts';

test('an address has its parameters filled in, and no empty query', () => {
  expect(addressOf(documentEndpoints.showMeasurement, { params: { id: 'abc' } })).toBe(
    '/api/v1/measurements/abc',
  );
  expect(addressOf(measurementEndpoints.listMeasurements, { query: { q: '', state: undefined } })).toBe(
    '/api/v1/measurements',
  );
  expect(addressOf(measurementEndpoints.listMeasurements, { query: { q: 'a b&c', limit: '5' } })).toBe(
    '/api/v1/measurements?q=a+b%26c&limit=5',
  );
});

test('a parameter cannot leave its place in the path', () => {
  expect(addressOf(measurementEndpoints.cancelMeasurement, { params: { id: '../x' } })).toBe(
    '/api/v1/measurements/..%2Fx/cancel',
  );
});
