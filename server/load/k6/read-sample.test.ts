/** Protects the reading of k6's NDJSON: samples of pairs are read whole, others are skipped, and rubbish is reported. */
import { expect, test } from 'vitest';
import { readPosted, readSample } from './read-sample.ts';

const told = {
  from: 3,
  to: 5,
  requests: [[0.1, 0, 0, 0.4, 0.2, 0.7, 512, 0.25, null]],
  failure: null,
};

function line(metric: string, data: object, type = 'Point'): string {
  return JSON.stringify({ metric, type, data: { time: '2026-11-23T05:00:00Z', ...data } });
}

function transaction(change: object = {}, metadata: object = {}): string {
  return line('tls_toll_transaction', {
    ...{ value: 0.8, tags: { arm: 'twin' } },
    metadata: { order: '7', pair: '0:12', told: JSON.stringify(told), ...metadata },
    ...change,
  });
}

test('a transaction has its arm, pair and phases', () => {
  expect(readSample(transaction())).toEqual({
    ...{ type: 'transaction', order: 7, arm: 'twin', pair: '0:12', latencyMs: 0.8 },
    ...told,
  });
});

test('the end of an order has its number', () => {
  const data = { value: 1, tags: {}, metadata: { order: '7', pair: '0:12' } };
  expect(readSample(line('tls_toll_done', data))).toEqual({ type: 'done', order: 7 });
});

test.each([
  line('http_reqs', { value: 1, tags: { arm: 'twin' } }),
  line('tls_toll_transaction', { name: 'tls_toll_transaction' }, 'Metric'),
  `{"type":"Point","data":{"value":1},"metric":"vus"}`,
])('a line of another metric is passed over: %s', (other) => {
  expect(readSample(other)).toBeNull();
});

test.each([
  'not json',
  '{"metric":"tls_toll_done","type":"Point",',
  'null',
  '[]',
  '{"metric":"tls_toll_done","type":"Else","data":{}}',
  line('tls_toll_done', { value: 1 }),
  transaction({ tags: { arm: 'other' } }),
  transaction({ value: -1 }),
  transaction({}, { order: '7e3' }),
  transaction({}, { told: '{' }),
  transaction({}, { told: JSON.stringify({ ...told, requests: [[1, 2]] }) }),
  transaction({}, { told: JSON.stringify({ ...told, extra: 1 }) }),
])('rubbish is reported: %s', (rubbish) => {
  expect(readSample(rubbish)).toHaveProperty('rubbish');
});

test('what a pod posts is the sample that k6 would have written, and nothing else is taken', () => {
  const posted = { type: 'transaction', order: 7, arm: 'comparison', pair: '0:12', latencyMs: 1.5, ...told };
  expect(readPosted(JSON.stringify(posted))).toEqual(posted);
  expect(readPosted('{"type":"done","order":7}')).toEqual({ type: 'done', order: 7 });
  for (const wrong of ['', 'GET /', '[]', JSON.stringify({ ...posted, arm: 'other' }), '{"type":"done"}'])
    expect(readPosted(wrong)).toHaveProperty('rubbish');
});
