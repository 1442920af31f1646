/** Protects series at the API: which runs belong to one, their step, and the pinned baseline. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { seriesSchema } from '../../../shared/kinds/comparison/past.ts';
import { newestListsSchema } from '../../../shared/kinds/prices/prices.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { prices } from '../../kinds/prices/kind.ts';
import { sizes } from '../../kinds/sizes/kind.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
const ids: string[] = [];
let other = '';

beforeAll(async () => {
  server = await openTestServer();
  const base = laterRun();
  for (const [place, cpu] of [1, 1.002, 0.998, 1, 0.9, 0.901, 0.899].entries()) {
    const { id, createdAt, ...run } = laterRun({ cpu });
    const openssl = place < 4 ? '3.5.8' : '3.5.9';
    ids.push(
      (
        await server.storeRun({
          ...run,
          createdAt: base.createdAt + place,
          environment: { ...run.environment, openssl },
        })
      ).id,
    );
  }
  const { id, scenario, ...run } = base;
  const [step, ...steps] = scenario.steps;
  if (step === undefined) throw new Error('the sample has steps');
  const moved = { ...scenario, steps: [{ ...step, path: '/home' }, ...steps] };
  other = (await server.storeRun({ ...run, scenario: moved })).id;
});
afterAll(() => server.close());

const read = async (id: string, query = '') => {
  const { status, text } = await server.send(`/api/v1/measurements/${id}/series${query}`);
  expect(status, text).toBe(200);
  return seriesSchema.parse(JSON.parse(text));
};
const put = (id: string) => server.send(`/api/v1/measurements/${id}/baseline`, { method: 'PUT' });
const problemOf = ({ text }: { text: string }) => problemSchema.parse(JSON.parse(text));

test('each run of a series has the same one, oldest first, with the step where its level changed', async () => {
  const series = await read(ids[2] ?? '');
  expect(series.runs.map(({ id }) => id)).toEqual(ids);
  expect(series).toMatchObject({
    title: 'Search on storefront',
    metric: 'cpu_at_load',
    baseline: null,
  });
  expect(series.levels.map(({ from, to }) => [from, to])).toEqual([
    [0, 4],
    [4, 7],
  ]);
  expect(series.levels[1]?.step?.center).toBeCloseTo(0.9, 2);
  expect(await read(ids[6] ?? '')).toEqual(series);
  expect((await read(ids[0] ?? '', '?metric=throughput')).levels).toHaveLength(1);
});

test('a scenario of the same name that sends something else is another series', async () => {
  expect((await read(other)).runs.map(({ id }) => id)).toEqual([other]);
});

test('one run of a series is pinned at a time', async () => {
  const [first = '', second = ''] = ids;
  expect((await put(first)).status).toBe(204);
  expect((await put(other)).status).toBe(204);
  expect((await read(ids[3] ?? '')).baseline).toBe(first);
  expect((await put(second)).status).toBe(204);
  expect((await read(first, '?metric=throughput')).baseline).toBe(second);
  expect((await read(other)).baseline).toBe(other);
  const remove = await server.send(`/api/v1/measurements/${second}/baseline`, { method: 'DELETE' });
  expect(remove.status).toBe(204);
  expect((await read(first)).baseline).toBeNull();
});

test('a run in the bin is no baseline, and when restored it takes no pin back from the one pinned since', async () => {
  const [first = '', second = '', third = ''] = ids;
  await put(first);
  await server.measurements.bin(first, 'token');
  const series = await read(third);
  expect(series.baseline).toBeNull();
  expect(series.runs.map(({ id }) => id)).toEqual(ids.slice(1));
  await server.measurements.restore(first, 'token');
  expect((await read(third)).baseline).toBe(first);

  await server.measurements.bin(first, 'token');
  await put(second);
  await server.measurements.restore(first, 'token');
  expect((await read(third)).baseline).toBe(second);
  await server.send(`/api/v1/measurements/${second}/baseline`, { method: 'DELETE' });
  expect((await read(third)).baseline).toBeNull();
});

test('a measurement other than a finished run has no series or cannot be pinned, and the answer says why', async () => {
  const kind = sizes as unknown as AnyKind<never>;
  const sweep = await storeEnded(server.database, kind, { ...sampleSizes(), id: '7seriesSizes0000000000' });
  expect(problemOf(await server.send(`/api/v1/measurements/${sweep}/series`))).toMatchObject({
    ...{ code: 'not_found', detail: 'Only runs and price lists form series.' },
  });
  const refused = await server.storeRun({ state: 'refused', verdict: null });
  expect(problemOf(await put(refused.id))).toMatchObject({
    code: 'results_not_comparable',
    detail: 'This run is refused. Only a finished one can be a baseline.',
  });
  expect(problemOf(await put('Z'.repeat(22)))).toMatchObject({ code: 'run_not_found' });
  expect(problemOf(await server.send(`/api/v1/measurements/${ids[0]}/series?metric=speed`))).toMatchObject({
    ...{ code: 'invalid_request', errors: [{ field: 'metric' }] },
  });
  const foreign = { method: 'PUT', headers: { Origin: 'https://elsewhere.example' } };
  expect((await server.send(`/api/v1/measurements/${ids[0]}/baseline`, foreign)).status).toBe(403);
});

test('price lists of one server with its options are a series, item by item, and one of them is pinned', async () => {
  const golden = prices.documentSchema.parse(
    JSON.parse(readFileSync(new URL('../../life/database/golden/prices-v1.json', import.meta.url), 'utf8')),
  );
  const store = (place: number, change: Partial<typeof golden> = {}) =>
    storeEnded(server.database, prices as unknown as AnyKind<never>, {
      ...{ ...golden, id: `${place}seriesPrices000000000`, createdAt: golden.createdAt + place },
      ...change,
    });
  const request = { ...golden.request, target: { ...golden.request.target, key: 'RSA-2048' as const } };
  const [later, first, otherKey] = [
    await store(2, {
      server: golden.server && { ...golden.server, version: '9.9' },
      request: { ...golden.request, seconds: 30 },
    }),
    await store(1),
    await store(3, { request: request as typeof golden.request }),
  ];
  const series = await read(first, '?metric=connection');
  expect(series.runs).toMatchObject([
    { id: first, url: `/l/${first}`, versions: [] },
    { id: later, versions: [`nginx ${golden.server?.version} → 9.9`] },
  ]);
  const item = golden.items.find(({ id }) => id === 'connection');
  expect(series.runs[0]?.first).toBe(item?.baseline?.center);
  const added =
    (series.runs[0]?.ratio.center ?? 0) * (item?.baseline?.center ?? 0) - (item?.baseline?.center ?? 0);
  expect(added).toBeCloseTo(item?.difference?.center ?? Number.NaN, 6);
  expect((await read(first)).metric).toBe('request');
  expect((await put(first)).status).toBe(204);
  expect((await read(later)).baseline).toBe(first);
  expect((await read(otherKey)).baseline).toBeNull();

  // The newest of its server, whatever its key.
  const { text } = await server.send(`/api/v1/measurements/${first}/prices`);
  const { lists } = newestListsSchema.parse(JSON.parse(text));
  expect(lists).toMatchObject([{ id: otherKey, url: `/l/${otherKey}`, server: 'nginx', key: 'RSA-2048' }]);
  expect(lists[0]?.items).toContainEqual({
    id: 'connection',
    ...{ http: item?.baseline?.center, difference: item?.difference },
  });
});
