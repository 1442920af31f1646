/** Protects results as files: the document in them, their headers, and a clear answer where there is none. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { shownRunOf } from '../../../shared/kinds/comparison/run.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
import { escapeMarkup } from '../../base/text/digest-picture.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { buryMeasurement } from '../../life/database/measurements.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';
import { allKinds } from '../start/all-kinds.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.send(path, { headers });

function resultIn(page: string): unknown {
  const [, packed = ''] =
    /<script id="packed-result" type="application\/gzip">([^<]*)<\/script>/.exec(page) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()).document;
}

const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../life/database/golden/${name}.json`, import.meta.url), 'utf8'));

test('a run is in its file as its page shows it, with its verdict for who has no JavaScript', async () => {
  const run = await server.storeRun();
  const { status, headers, text } = await get(`/r/${run.id}.html?download`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-disposition']).toBe(`attachment; filename="tls-toll-${run.id}.html"`);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'sha256-test'; frame-ancestors 'none'",
  );
  expect(resultIn(text)).toEqual(JSON.parse(JSON.stringify(shownRunOf(run))));
  const { title, second } = headlineOfRun(run) ?? {};
  expect(text).toContain(`<h1>${title}</h1>\n<p>${second}</p>`);
  expect(text).toContain(`<title>${title} · ${second} · TLS Toll</title>`);
  const again = await get(`/r/${run.id}.html`, { 'If-None-Match': String(headers.etag) });
  expect(again).toMatchObject({ status: 304, text: '' });
});

test('what people typed cannot leave its place', async () => {
  const name = '</script><script>alert(1)</script>\u2028%result%';
  const { scenario, sides } = await server.storeRun();
  const named = { ...sides, comparison: { ...sides.comparison, name } };
  const { id } = await server.storeRun({ scenario: { ...scenario, name }, sides: named });
  const { text } = await get(`/r/${id}.html`);
  expect(text.match(/<\/script>/g)).toHaveLength(1);
  expect(text).toContain('&#60;script&#62;alert(1)');
  expect(resultIn(text)).toMatchObject({ scenario: { name } });
});

test.each([
  ['sizes', '/r', sampleSizes()],
  ['handshakes', '/l', golden('handshakes-v1')],
  ['speed', '/l', golden('speed-v1')],
  ['visits', '/l', golden('visits-v1')],
  ['distance', '/l', golden('distance-v1')],
  ['mesh', '/l', golden('mesh-v1')],
  ['explain', '/l', golden('explain-v1')],
])('a result of kind %s has a file too', async (name, page, document) => {
  const kind = allKinds.find((each) => each.name === name) as AnyKind<never>;
  await storeEnded(server.database, kind, document);
  const { status, text } = await get(`${page}/${document.id}.html`);
  expect(status).toBe(200);
  expect(resultIn(text)).toEqual(JSON.parse(JSON.stringify(document)));
  const { title, second } = kind.headline(document) ?? {};
  expect(text).toContain(`<h1>${escapeMarkup(title ?? '')}</h1>\n<p>${escapeMarkup(second ?? '')}</p>`);
  expect(text).toContain(`Title of ${document.id}`);
});

test('without a result there is no file, and the answer says why', async () => {
  const gone = await server.storeRun();
  await buryMeasurement(server.database, gone.id, 1);
  const newer = await server.storeRun({ schemaVersion: 99 as never });
  const { id: running } = await server.measurements.create('comparison', {}, null);
  const cases = [
    { id: 'Z'.repeat(22), status: 404, code: 'run_not_found' },
    { id: gone.id, status: 410, code: 'run_deleted' },
    { id: newer.id, status: 501, code: 'run_newer' },
    { id: running, status: 409, code: 'run_unfinished' },
    { id: 'short', status: 404, code: 'not_found' },
  ];
  for (const { id, status, code } of cases) {
    const reply = await get(`/r/${id}.html`, { Accept: 'application/json' });
    expect(reply.status, id).toBe(status);
    expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe(code);
  }
});

test('a server that is not built says so, and nothing but reading is allowed', async () => {
  const bare = await openTestServer({ built: false });
  const { id } = await bare.storeRun();
  const reply = await bare.send(`/r/${id}.html`);
  expect(reply.status).toBe(503);
  expect(problemSchema.parse(JSON.parse(reply.text))).toMatchObject({
    code: 'client_not_built',
    advice: expect.stringContaining('npm run build'),
  });
  expect((await bare.send(`/r/${id}.html`, { method: 'POST' })).status).toBe(405);
  await bare.close();
});

test('the stacks of an explanation are beside its page, and other kinds have none', async () => {
  const { id } = golden('explain-v1') as { id: string };
  const folded = await server.send(`/l/${id}.folded`);
  expect(folded).toMatchObject({ status: 200, text: expect.stringMatching(/^_start;.* \d+ \d+\n/) });
  expect(folded.headers['content-type']).toBe('text/plain; charset=utf-8');
  const { profiles } = JSON.parse((await server.send(`/l/${id}.speedscope.json`)).text);
  expect(profiles.map(({ name }: { name: string }) => name)).toEqual(['HTTP', 'HTTPS']);
  const { id: other } = golden('distance-v1') as { id: string };
  expect((await server.send(`/l/${other}.folded`)).status).toBe(404);
});
