/** Protects what fails a build: conditions are read as they are written, and nothing else passes for one. */
import { expect, test } from 'vitest';
import { parseCondition } from './condition.ts';

test.each([
  ['cpu_at_load > 20%', { metric: 'cpu_at_load', operator: '>', of: 'change', limit: 0.2 }],
  ['throughput<-10.5 %', { metric: 'throughput', operator: '<', of: 'change', limit: -0.105 }],
  ['latency_p50 > 2 ms', { metric: 'latency_p50', operator: '>', of: 'difference', limit: 2000 }],
  ['memory_growth > 1.5MB', { metric: 'memory_growth', operator: '>', of: 'difference', limit: 1_500_000 }],
])('%j is read', (text, condition) => {
  expect(parseCondition(` ${text} `)).toEqual({ ...condition, text });
});

test.each([
  ['cpu > 20%', /“cpu” is not a metric\. Metrics are throughput/],
  ['cpu_at_load > lots', /Write a metric, > or </],
  ['cpu_at_load > 20', /Write a metric, > or </],
  ['cpu_at_load >= 20%', /Write a metric, > or </],
  ['memory_growth > 5%', /no change in percent/],
  ['latency_p50 > 2 kB', /has no unit kB/],
  ['', /Write a metric/],
  [`${'x'.repeat(10_000)} > 1%`, /is not a metric/],
])('%j is refused in a sentence', (text, sentence) => {
  expect(() => parseCondition(text)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'invalid_arguments',
        detail: expect.stringMatching(sentence),
      }),
    }),
  );
});
