/** Protects `/c/{from}..{to}` and its endpoint: the same figures everywhere, and a sentence for whatever cannot be compared. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { resultChangesSchema } from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { MeasurementDocument } from '../../../shared/results/kinds.ts';
import { distance } from '../../kinds/distance/kind.ts';
import { handshakes } from '../../kinds/handshakes/kind.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { mesh } from '../../kinds/mesh/kind.ts';
import { sizes } from '../../kinds/sizes/kind.ts';
import { speed } from '../../kinds/speed/kind.ts';
import { visits } from '../../kinds/visits/kind.ts';
import { buryMeasurement } from '../../life/database/measurements.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { clientPage, openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let from: RunDocument;
let to: RunDocument;
beforeAll(async () => {
  server = await openTestServer();
  const [earlier, later] = [sampleRun(), laterRun({ cpu: 0.93 })];
  from = await server.storeRun({ ...earlier, id: '1earlierRun00000000000' });
  to = await server.storeRun({ ...later, id: '2laterRun0000000000000' });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.send(path, { headers });
const asPage = (path: string) => get(path, { Accept: 'text/html' });
const pairOf = (one: { id: string }, other: { id: string }) => `${one.id}..${other.id}`;

async function storeSizes(id: string): Promise<{ id: string }> {
  const kind = sizes as unknown as AnyKind<never>;
  await storeEnded(server.database, kind, { ...sampleSizes(), id });
  return { id };
}

test('the endpoint, the suffix and Accept give the same, with a strong ETag', async () => {
  const pair = pairOf(from, to);
  const byApi = await get(`/api/v1/changes/${pair}`);
  const bySuffix = await get(`/c/${pair}.json`);
  const byAccept = await get(`/c/${pair}`, { Accept: 'application/json' });
  expect([byApi.status, bySuffix.status, byAccept.status]).toEqual([200, 200, 200]);
  const changes = resultChangesSchema.parse(JSON.parse(byApi.text));
  expect(JSON.parse(bySuffix.text)).toEqual(JSON.parse(byApi.text));
  expect(byAccept.text).toBe(bySuffix.text);
  expect(bySuffix.headers.etag).toMatch(/^"[\w-]{43}/);
  expect(byAccept.headers.vary).toContain('Accept');
  expect(changes).toMatchObject({ kind: 'comparison', from: { id: from.id }, to: { id: to.id } });
  const again = await get(`/c/${pair}.json`, { 'If-None-Match': String(bySuffix.headers.etag) });
  expect(again).toMatchObject({ status: 304, text: '' });
  const report = await get(`/c/${pair}.md?download`);
  expect(report.headers['content-type']).toContain('text/markdown');
  expect(report.headers['content-disposition']).toContain(`tls-toll-${from.id}-${to.id}.md`);
  expect(report.text).toMatch(/^# HTTPS costs \S+ µs less per transaction /);
});

test('where the link is pasted, the page has the sentence', async () => {
  const { status, text } = await asPage(`/c/${pairOf(from, to)}`);
  expect(status).toBe(200);
  expect(text).toMatch(
    /<title>HTTPS costs \S+ µs less per transaction [^<]+ points at full load[^<]+ · TLS Toll<\/title>/,
  );
  expect(text).toMatch(
    /<meta property="og:description" content="95 % CI of the change: −[^"]+compared by TLS Toll\."/,
  );
});

test('two sweeps lead to the page that lays them over each other', async () => {
  const [one, other] = [
    await storeSizes('7oneSizes0000000000000'),
    await storeSizes('7twoSizes0000000000000'),
  ];
  const url = `/r/${other.id}?with=${one.id}`;
  const page = await asPage(`/c/${pairOf(one, other)}`);
  expect(page).toMatchObject({ status: 302, headers: { location: url } });
  const reply = await get(`/api/v1/changes/${pairOf(one, other)}`);
  expect(JSON.parse(reply.text)).toEqual({ kind: 'sizes', url });
  expect((await get(`/c/${pairOf(one, other)}.md`)).status).toBe(406);
});

test('what cannot be compared is said in a sentence, with its status, to people with the page that explains it', async () => {
  const gone = await server.storeRun();
  await buryMeasurement(server.database, gone.id, 1);
  const newer = await server.storeRun({ schemaVersion: 99 as never });
  const refused = await server.storeRun({ state: 'refused', verdict: null });
  const { id: waiting } = await server.measurements.create('comparison', {}, null);
  const sweep = await storeSizes('7kindSizes000000000000');
  const cases: [{ id: string }, { id: string }, number, string, string][] = [
    [from, from, 422, 'results_not_comparable', 'Both are the same result.'],
    [from, { id: 'Z'.repeat(22) }, 404, 'run_not_found', `The second result, ${'Z'.repeat(22)}, cannot be`],
    [gone, to, 410, 'run_deleted', `The first result, ${gone.id}, cannot be opened. It was deleted.`],
    [from, newer, 501, 'run_newer', `The second result, ${newer.id}, cannot be opened.`],
    [refused, to, 422, 'results_not_comparable', `The first result, ${refused.id}, is refused`],
    [from, { id: waiting }, 409, 'run_unfinished', `The second result, ${waiting}, is `],
    [from, sweep, 422, 'results_not_comparable', 'The first result is a run, the second a sweep over sizes'],
  ];
  for (const [one, other, status, code, fact] of cases) {
    const pair = pairOf(one, other);
    expect(await asPage(`/c/${pair}`)).toMatchObject({ status, text: clientPage });
    for (const path of [`/api/v1/changes/${pair}`, `/c/${pair}.json`, `/c/${pair}.md`]) {
      const reply = await get(path);
      expect(reply.status, path).toBe(status);
      const { code: given, detail } = problemSchema.parse(JSON.parse(reply.text));
      expect({ given, detail }).toEqual({ given: code, detail: expect.stringContaining(fact) });
    }
  }
});

const golden = (name: string): MeasurementDocument =>
  JSON.parse(readFileSync(new URL(`../../life/database/golden/${name}.json`, import.meta.url), 'utf8'));

/** Two results with the same figures. */
async function storeTwice(kind: unknown, document: MeasurementDocument) {
  const [one, other] = ['7one', '7two'].map((name) => ({ id: `${name}${document.kind}`.padEnd(22, '0') }));
  if (one === undefined || other === undefined) throw new Error('there are two');
  for (const { id } of [one, other]) {
    await storeEnded(server.database, kind as AnyKind<never>, { ...document, id });
  }
  return pairOf(one, other);
}

test.each([
  ['handshakes-v1', handshakes, /^# None of \d+ figures? changed$/m],
  ['speed-v1', speed, /^# None of \d+ figures? changed$/m],
  ['visits-v1', visits, /^# None of 8 figures changed$/m],
  ['distance-v1', distance, /^# None of 20 figures changed$/m],
  ['mesh-v1', mesh, /^# None of 4 figures changed$/m],
])('two of %s are compared figure by figure, as a page, JSON and Markdown', async (name, kind, heading) => {
  const pair = await storeTwice(kind, golden(name));
  const { status, text } = await get(`/c/${pair}.json`);
  expect(status, text).toBe(200);
  expect(resultChangesSchema.parse(JSON.parse(text))).toMatchObject({ kind: kind.name, setup: [] });
  expect((await get(`/api/v1/changes/${pair}`)).status).toBe(200);
  expect((await get(`/c/${pair}.md`)).text).toMatch(heading);
  expect(await asPage(`/c/${pair}`)).toMatchObject({ status: 200 });
});

test.each(['x', 'A'.repeat(22), `${'A'.repeat(22)}..`, `${'A'.repeat(22)}...${'B'.repeat(22)}`])(
  'the address /c/%s leads nowhere, and to the API it is not a pair',
  async (name) => {
    expect((await asPage(`/c/${name}`)).status).toBe(404);
    const reply = await get(`/api/v1/changes/${name}`);
    expect(reply.status).toBe(400);
    const { errors } = problemSchema.parse(JSON.parse(reply.text));
    expect(errors).toEqual([{ field: 'pair', message: 'a pair is two IDs with two dots between them' }]);
  },
);

test('nothing is changed by asking, and no other method is taken', async () => {
  const pair = pairOf(from, to);
  expect((await server.send(`/c/${pair}`, { method: 'POST' })).status).toBe(405);
  expect((await server.send(`/c/${pair}.json`, { method: 'HEAD' })).status).toBe(200);
});
