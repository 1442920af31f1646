import type { Exchange } from '../../shared/scenario/import.ts';

export function exchangeInTest(facts: Partial<Exchange>): Exchange {
  return {
    number: 1,
    startedAtMs: 0,
    durationMs: 10,
    method: 'GET',
    origin: 'http://shop.example',
    path: '/',
    requestHeaders: [],
    requestBody: null,
    status: 200,
    responseHeaders: [['content-type', 'text/html']],
    responseBody: null,
    resourceType: 'document',
    ...facts,
  };
}
