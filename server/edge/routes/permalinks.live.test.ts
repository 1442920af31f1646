/** Protects permalinks: their formats, caching and statuses, and the pages beside them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { type RunDocument, shownRunOf } from '../../../shared/kinds/comparison/run.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
import { escapeMarkup } from '../../base/text/digest-picture.ts';
import { buryMeasurement } from '../../life/database/measurements.ts';
import { clientPage, openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let run: RunDocument;
beforeAll(async () => {
  server = await openTestServer();
  run = await server.storeRun();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.send(path, { headers });

test.each([
  ['json', 'application/json'],
  ['csv', 'text/csv'],
  ['jsonl', 'application/jsonl'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['md', 'text/markdown'],
])('%s is the same bytes by suffix, by Accept and as a download', async (suffix, type) => {
  const bySuffix = await get(`/r/${run.id}.${suffix}`);
  const byAccept = await get(`/r/${run.id}`, { Accept: type });
  const download = await get(`/r/${run.id}.${suffix}?download`);
  for (const reply of [bySuffix, byAccept, download]) {
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain(type);
    expect(reply.headers.etag).toMatch(/^"[\w-]{43}"$/);
    expect(reply.headers['cache-control']).toBe('no-cache');
  }
  expect(byAccept.text).toBe(bySuffix.text);
  expect(download.text).toBe(bySuffix.text);
  expect(new Set([bySuffix, byAccept, download].map(({ headers }) => headers.etag)).size).toBe(1);
  expect(byAccept.headers.vary).toContain('Accept');
  expect(download.headers['content-disposition']).toBe(`attachment; filename="tls-toll-${run.id}.${suffix}"`);
});

test('who has it already is told so, and who has another version gets this one', async () => {
  const path = `/r/${run.id}.json`;
  const { headers, text } = await get(path);
  const etag = String(headers.etag);
  for (const match of [etag, `"other", ${etag}`, '*']) {
    const reply = await get(path, { 'If-None-Match': match });
    expect(reply).toMatchObject({ status: 304, text: '' });
    expect(reply.headers.etag).toBe(etag);
  }
  expect(await get(path, { 'If-None-Match': '"other"' })).toMatchObject({ status: 200, text });
});

test('a document goes compressed to who takes that, with an ETag of its own, and as it is to who does not', async () => {
  const path = `/r/${run.id}.json`;
  const plain = await fetch(`${server.origin}${path}`, { headers: { 'Accept-Encoding': 'identity' } });
  const packed = await fetch(`${server.origin}${path}`, { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(await packed.text()).toBe(await plain.text());
  const tag = String(packed.headers.get('etag'));
  expect(tag).not.toBe(plain.headers.get('etag'));
  const again = await get(path, { 'Accept-Encoding': 'gzip, br', 'If-None-Match': tag });
  expect(again.status).toBe(304);
});

test('HEAD says what GET would send', async () => {
  const reply = await server.send(`/r/${run.id}.csv`, { method: 'HEAD' });
  const { headers } = await get(`/r/${run.id}.csv`);
  expect(reply).toMatchObject({ status: 200, text: '' });
  expect(reply.headers['content-length']).toBe(headers['content-length']);
  expect(reply.headers.etag).toBe(headers.etag);
});

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['*/*', 'text/html'],
  ['application/*', 'application/json'],
  ['text/csv;q=0.5, application/json;q=0.9', 'application/json'],
  ['text/csv, text/html;q=0.1', 'text/csv'],
])('Accept: %s gets %s', async (accept, type) => {
  expect((await get(`/r/${run.id}`, { Accept: accept })).headers['content-type']).toContain(type);
});

test('what a run cannot be shown as is refused', async () => {
  const reply = await get(`/r/${run.id}`, { Accept: 'image/png' });
  expect(reply.status).toBe(406);
  expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe('not_acceptable');
  expect(reply.headers.vary).toContain('Accept');
});

test('a run that goes on is stored by nobody', async () => {
  const { id } = await server.measurements.create('comparison', {}, null);
  for (const path of [`/r/${id}.json`, `/api/v1/measurements/${id}`]) {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  }
});

test('where a link is pasted, the page has the verdict, and what people typed is no markup in it', async () => {
  const name = '<script>alert(1)</script> "CPU" $& $1';
  const sides = { ...run.sides, comparison: { ...run.sides.comparison, name } };
  const { id } = await server.storeRun({ sides });
  const { status, text } = await get(`/r/${id}`, { Accept: 'text/html' });
  expect(status).toBe(200);
  const headline = headlineOfRun({ ...run, sides });
  const title = escapeMarkup(headline === null ? '' : headlineInOneLine(headline));
  expect(title).toMatch(/^&#60;script&#62;alert\(1\)&#60;\/script&#62; &#34;CPU&#34; \$&#38; \$1 costs /);
  expect(text).toContain(`<title>${title} · TLS Toll</title>`);
  expect(text).toContain(`<meta property="og:title" content="${title}" />`);
  expect(text).toMatch(/<meta property="og:description" content="[^"]+, measured by TLS Toll\." \/>/);
  expect(text.replace(/<title>[\s\S]*(?=<div)/, '<title>TLS Toll</title>')).toBe(clientPage);
});

test('a page has what it shows of its document fetched ahead, and a missing one has nothing fetched', async () => {
  const { headers } = await get(`/r/${run.id}`, { Accept: 'text/html' });
  const [, path = ''] = /^<(\S+)>; rel=preload; as=fetch; crossorigin$/.exec(String(headers.link)) ?? [];
  expect((await get(path)).text).toBe(JSON.stringify(shownRunOf(run)));
  const missing = await get(`/r/${'0'.repeat(22)}`, { Accept: 'text/html' });
  expect(missing.headers.link).toBeUndefined();
});

test('a badge says the verdict, and is refused as its run is', async () => {
  const { id } = await server.storeRun();
  const badge = await get(`/r/${id}/badge.svg`);
  expect(badge.headers['content-type']).toContain('image/svg+xml');
  const headline = headlineOfRun(run);
  if (headline === null) throw new Error('the sample has a verdict');
  expect(badge.text).toContain(`<title>TLS Toll: ${headlineInOneLine(headline)}</title>`);
  expect(await get(`/r/${'Z'.repeat(22)}/badge.svg`)).toMatchObject({ status: 404 });
  expect(await get('/r/nothing/badge.svg')).toMatchObject({ status: 404 });
});

test('unknown, deleted and newer runs are said in the status, to people with the page that explains it', async () => {
  const gone = await server.storeRun();
  await buryMeasurement(server.database, gone.id, 1);
  const newer = await server.storeRun({ schemaVersion: 99 as never });
  const cases = [
    { id: 'Z'.repeat(22), status: 404, code: 'run_not_found' },
    { id: gone.id, status: 410, code: 'run_deleted' },
    { id: newer.id, status: 501, code: 'run_newer' },
  ];
  for (const { id, status, code } of cases) {
    const page = await get(`/r/${id}`, { Accept: 'text/html' });
    expect(page).toMatchObject({ status, text: clientPage });
    expect(page.headers['content-type']).toContain('text/html');
    for (const reply of [
      await get(`/r/${id}.json`),
      await get(`/r/${id}.csv`),
      await get(`/r/${id}`, { Accept: 'text/markdown' }),
    ]) {
      expect(reply.status).toBe(status);
      expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe(code);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
  }
});

test.each(['.xml', '.json.json', '.JSON', '.', '.json/x', 'x.json'])(
  'the suffix %s leads nowhere',
  async (suffix) => {
    const reply = await get(`/r/${run.id}${suffix}`, { Accept: 'application/json' });
    expect(reply.status).toBe(404);
    expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe('not_found');
  },
);

test('pages of the client are served, hashed files for good, the page itself asked for again', async () => {
  for (const path of ['/', '/runs', '/docs', '/docs/method', '/?v=1']) {
    const reply = await get(path, { Accept: 'text/html' });
    expect(reply).toMatchObject({ status: 200, text: clientPage });
    expect(reply.headers['cache-control']).toBe('no-cache');
  }
  expect((await get('/assets/main-abc123.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
});

test('every screen of the client is a page that is there', async () => {
  const screens = readFileSync(new URL('../../../client/app/screens.tsx', import.meta.url), 'utf8');
  const paths = [...screens.matchAll(/<Route path="(\/[^"*]*)"/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/^\/[rlscb]\//.test(path));
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const address = path.replace(/^\/docs\/:\w+$/, '/docs/method').replace(/:\w+/g, 'A'.repeat(22));
    expect([path, (await get(address, { Accept: 'text/html' })).status]).toEqual([path, 200]);
  }
});

test('an address without a page is 404, with the page for people and a problem for programs', async () => {
  for (const path of ['/nothing', '/docs/nothing']) {
    expect(await get(path, { Accept: 'text/html' })).toMatchObject({ status: 404, text: clientPage });
  }
  const reply = await get('/nothing', { Accept: '*/*' });
  expect(problemSchema.parse(JSON.parse(reply.text))).toMatchObject({ code: 'not_found', status: 404 });
  expect((await get('/assets/main-old.js')).status).toBe(404);
});

test('a server whose client is not built says so', async () => {
  const bare = await openTestServer({ built: false });
  const reply = await bare.send('/', { headers: { Accept: 'text/html' } });
  expect(reply.text).toContain('npm run build');
  await bare.close();
});
