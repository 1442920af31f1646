/** Protects one number for one question: lists say the pooled figure, and no permalink changes when a later run comes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../../../shared/kinds/comparison/past.ts';
import type { Headline } from '../../../shared/measurement/measurement.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const sample = sampleRun({ launches: 2, epochs: 1 });
const poolOf = (runs: string[]): Pool => ({
  metrics: {
    cpu_at_load: {
      ...{ ratio: { center: 1.43, lo: 1.42, hi: 1.44 }, outcome: 'no_overhead' as const },
      ...{ runs, between: 0.01 },
    },
  },
  leftOut: [],
});
const listed = async (query = '') => {
  const { text } = await server.send(`/api/v1/measurements${query}`);
  const { measurements } = JSON.parse(text) as {
    measurements: { id: string; headline?: Headline; verdict: object | null }[];
  };
  return measurements;
};

test('the later run says what both found, and the earlier one stays as it was', async () => {
  const first = await server.storeRun();
  const path = `/r/${first.id}.json`;
  const before = await server.send(path);
  const second = await server.storeRun({
    createdAt: sample.createdAt + 1000,
    pool: poolOf([first.id, 'Stored2x'.padEnd(22, '0')]),
  });
  const [newest, oldest] = await listed();
  expect([newest?.id, oldest?.id]).toEqual([second.id, first.id]);
  expect(newest?.headline?.third).toMatch(/^2 of 2 runs of this question: /);
  expect(newest?.verdict).toEqual(second.verdict);
  expect(oldest?.headline).not.toHaveProperty('third');
  const after = await server.send(path);
  expect(before.headers.etag).toMatch(/^"[\w-]{43}/);
  expect([after.headers.etag, after.text]).toEqual([before.headers.etag, before.text]);
});

test('the filter by verdict goes by what the list says', async () => {
  const within = await listed('?verdict=no_overhead');
  expect(within.map(({ headline }) => headline?.title)).toEqual([
    expect.stringMatching(/^HTTPS costs the same server CPU per transaction as HTTP, within ±/),
  ]);
});
