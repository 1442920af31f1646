/** Protects the page and the API of several sites: what each found, links there and back, what was deleted, and sentences for bad input. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { type Batch, batchSchema } from '../../../shared/results/schedule.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let fra: RunDocument;
let iad: RunDocument;
const id = 'SeveralSites'.padEnd(22, '0');

beforeAll(async () => {
  server = await openTestServer();
  [fra, iad] = [await server.storeRun(), await server.storeRun()];
  const { queries } = server.database;
  const batch = { id, kind: 'comparison', createdAt: 5, requestHash: 'request', idempotencyHash: null };
  await queries.insertInto('batches').values(batch).execute();
  const sites = [fra, iad].map(({ id: measurementId }, place) => {
    const labels = JSON.stringify({ site: ['fra', 'iad'][place] });
    return { batchId: id, place, measurementId, labels };
  });
  await queries.insertInto('batchSites').values(sites).execute();
});
afterAll(() => server.close());

async function shown(): Promise<Batch> {
  const reply = await server.send(`/api/v1/batches/${id}`);
  expect(reply.status, reply.text).toBe(200);
  return batchSchema.parse(JSON.parse(reply.text));
}

test('each site has its verdict and its figures, and each run leads back', async () => {
  const batch = await shown();
  expect(batch).toMatchObject({ id, url: `/b/${id}`, createdAt: 5, title: expect.stringContaining(' on ') });
  expect(batch.sites.map(({ labels, url }) => [labels, url])).toEqual([
    [{ site: 'fra' }, `/r/${fra.id}`],
    [{ site: 'iad' }, `/r/${iad.id}`],
  ]);
  for (const { measurement, figures, progress, deleted } of batch.sites) {
    expect(measurement).toMatchObject({ state: 'finished', verdict: fra.verdict });
    expect(figures.map((figure) => figure.id)).toEqual(fra.metrics.map((metric) => metric.id));
    expect([progress, deleted]).toEqual([null, null]);
  }
  const link = await server.send(`/api/v1/measurements/${iad.id}/batch`);
  expect(JSON.parse(link.text)).toEqual({
    batch: { id, url: `/b/${id}`, sites: [{ site: 'fra' }, { site: 'iad' }] },
  });
  const other = await server.storeRun();
  const none = await server.send(`/api/v1/measurements/${other.id}/batch`);
  expect(JSON.parse(none.text)).toEqual({ batch: null });
});

test('the address is a page for people and JSON for programs', async () => {
  const page = await server.send(`/b/${id}`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.link).toContain(`/api/v1/batches/${id}`);
  for (const [path, headers] of [
    [`/b/${id}.json`, {}],
    [`/b/${id}`, { accept: 'application/json' }],
  ] as const) {
    expect(JSON.parse((await server.send(path, { headers })).text)).toEqual(await shown());
  }
  expect((await server.send(`/b/${id}`, { headers: { accept: 'image/png' } })).status).toBe(406);
});

test('a deleted result leaves its site, and the last one takes the address along', async () => {
  const remove = (run: RunDocument, query = '') =>
    server.send(`/api/v1/measurements/${run.id}${query}`, {
      ...{ method: 'DELETE', headers: { 'x-delete-token': 'token' } },
    });
  expect((await remove(fra)).status).toBe(204);
  const binned = await shown();
  expect(binned.sites[0]).toMatchObject({ deleted: 'binned', measurement: null, figures: [] });
  expect(binned.sites[1]).toMatchObject({ deleted: null, measurement: { id: iad.id } });
  expect((await remove(fra, '?permanent=true')).status).toBe(204);
  expect((await shown()).sites[0]).toMatchObject({ deleted: 'removed', url: `/r/${fra.id}` });
  expect((await remove(iad, '?permanent=true')).status).toBe(204);
  const gone = await server.send(`/b/${id}.json`);
  expect([gone.status, problemSchema.parse(JSON.parse(gone.text)).code]).toEqual([410, 'run_deleted']);
  expect((await server.send(`/b/${id}`, { headers: { accept: 'text/html' } })).status).toBe(410);
});

const [one, two] = [{ site: 'fra' }, { site: 'iad' }];

test.each<[detail: string, labels: unknown]>([
  ['The body: labels: give a list of sites, such as [{"site":"fra"},{"site":"iad"}]', undefined],
  ['The body: labels: give a list of sites, such as [{"site":"fra"},{"site":"iad"}]', one],
  ['The body: labels: name at least two sites, such as [{"site":"fra"},{"site":"iad"}]', []],
  ['The body: labels: name at least two sites, such as [{"site":"fra"},{"site":"iad"}]', [one]],
  ['The body: labels.1: a site has at least one label', [one, {}]],
  ['The body: labels.2: site=fra is named twice', [one, two, one]],
  ['The body: labels: there are at most 8 sites', [...'abcdefghi'].map((site) => ({ site }))],
  [
    'The body: labels.0.Site: a label is name=value, in lower-case letters, digits and hyphens',
    [{ Site: 'a' }, two],
  ],
  [
    'The body: kind must be one of comparison, handshakes, speed, visits, sizes, servers, distance, mesh, explain, prices.',
    'kind',
  ],
])('%s', async (detail, labels) => {
  const body = labels === 'kind' ? { kind: 'guess', labels: [one, two] } : { kind: 'comparison', labels };
  const { status, text } = await server.send('/api/v1/batches', { method: 'POST', body });
  expect([status, problemSchema.parse(JSON.parse(text)).detail]).toEqual([400, detail]);
});

test('a server without runners says so, and an unknown address too', async () => {
  const body = { kind: 'comparison', labels: [one, two] };
  const { status, text } = await server.send('/api/v1/batches', { method: 'POST', body });
  expect([status, problemSchema.parse(JSON.parse(text)).code]).toEqual([422, 'runners_off']);
  const unknown = await server.send(`/b/${'x'.repeat(22)}.json`);
  expect([unknown.status, problemSchema.parse(JSON.parse(unknown.text)).code]).toEqual([
    404,
    'batch_not_found',
  ]);
});
