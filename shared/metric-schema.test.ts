/** Protects those who use an id of before cost was read at load: they are told the new one, and nobody else is told anything new. */
import { expect, test } from 'vitest';
import { metricIds, metricOf, primaryMetrics, successorOf } from './metric.ts';
import { metricIdSchema } from './metric-schema.ts';

const messageOf = (id: unknown) => metricIdSchema.safeParse(id).error?.issues[0]?.message ?? null;

test.each(['cpu_per_transaction', 'cpu_per_transaction_at_maximum'])(
  '%s is refused, naming cpu_at_load',
  (id) => {
    expect(messageOf(id)).toBe(
      `“${id}” is now cpu_at_load: CPU is read at load. That of a lone transaction is cpu_lone.`,
    );
  },
);

test.each(['cpu', 'constructor', 7, undefined])('%j is refused as before', (id) => {
  expect(messageOf(id)).toMatch(/^Invalid option/);
});

test('what took a place is there, and is read where all users are at work', () => {
  for (const id of metricIds) expect(metricIdSchema.parse(id)).toBe(id);
  expect(metricOf(successorOf('cpu_per_transaction') ?? 'throughput').points).toEqual(['maximum']);
  expect(primaryMetrics[0]).toBe('cpu_at_load');
});
