/** Protects the span of a request: the names of OpenTelemetry’s conventions, and few different ones. */
import { expect, test } from 'vitest';
import { requestSpan } from './request-span.ts';

const request = {
  ...{ method: 'GET', route: '/api/v1/lab/{id}', status: 200, startedAt: 1000, endedAt: 1012.5 },
  parent: {},
};

test('it is named by method and template, whatever was asked for', () => {
  expect(requestSpan(request)).toEqual({
    name: 'GET /api/v1/lab/{id}',
    ...{ startedAt: 1000, endedAt: 1012.5, error: null },
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/lab/{id}',
      'http.response.status_code': 200,
    },
  });
});

test('an address that no endpoint has gives it no name of its own', () => {
  const { name, attributes } = requestSpan({ ...request, route: null, status: 404 });
  expect(name).toBe('GET');
  expect(attributes).not.toHaveProperty('http.route');
});

test('a method that HTTP does not define gives it no name either', () => {
  const { name, attributes } = requestSpan({ ...request, method: 'PROPFIND', status: 405 });
  expect(name).toBe('HTTP /api/v1/lab/{id}');
  expect(attributes).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'PROPFIND',
  });
});

test('a mistake of the server is an error, one of the sender is not', () => {
  expect(requestSpan({ ...request, status: 400 }).error).toBe(null);
  const failed = requestSpan({ ...request, status: 503 });
  expect(failed.error).not.toBe(null);
  expect(failed.attributes).toMatchObject({ 'error.type': '503' });
});

test('a sender who left before the response has no status', () => {
  expect(requestSpan({ ...request, status: null }).attributes).not.toHaveProperty(
    'http.response.status_code',
  );
});
