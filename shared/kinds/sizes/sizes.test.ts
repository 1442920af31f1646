/** Protects what a sweep over sizes is asked for: the study’s sizes unless others are, ascending, each once. */
import { expect, test } from 'vitest';
import { sizesRequestSchema } from './sizes.ts';

const ask = (fields: object) => sizesRequestSchema.safeParse({ kind: 'sizes', ...fields });

test('by default it is the study’s 24 sizes, the library’s own suite and 12 rounds', () => {
  const { data } = ask({});
  expect(data).toMatchObject({ target: { kind: 'managed', server: 'nginx' }, suites: [null], rounds: 12 });
  expect(data?.sizes).toHaveLength(24);
  expect(data?.sizes.slice(18)).toEqual([19_000, 20_000, 40_000, 60_000, 80_000, 100_000]);
});

test('sizes are kept ascending', () => {
  expect(ask({ sizes: [5, 10_000_000, 1] }).data?.sizes).toEqual([1, 5, 10_000_000]);
});

test.each([
  [{ sizes: [1000] }],
  [{ sizes: [1000, 1000] }],
  [{ sizes: [0, 1000] }],
  [{ sizes: [1000, 10_000_001] }],
  [{ sizes: Array.from({ length: 201 }, (_, index) => index + 1) }],
  [{ suites: [] }],
  [{ suites: [null, null] }],
  [{ suites: ['a b'] }],
  [{ rounds: 4 }],
  [{ rounds: 101 }],
])('%j is refused', (fields) => {
  expect(ask(fields).success).toBe(false);
});
