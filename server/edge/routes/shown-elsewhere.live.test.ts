/** Protects what other sites show of a result: its picture and its frame, and nothing else of this server. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
import { visits } from '../../kinds/visits/kind.ts';
import { buryMeasurement } from '../../life/database/measurements.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let run: RunDocument;
beforeAll(async () => {
  server = await openTestServer();
  run = await server.storeRun();
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.send(path, { headers });

const inFrame = {
  ...{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
};
const asImage = {
  ...{ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
};

test('the picture is a PNG of 1200 by 630, and is not sent twice', async () => {
  const response = await fetch(`${server.origin}/r/${run.id}/og.png`);
  const png = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  const tag = String(response.headers.get('etag'));
  expect(await get(`/r/${run.id}/og.png`, { 'If-None-Match': tag })).toMatchObject({ status: 304, text: '' });
});

test('the page of a result names its picture by its whole address, one that goes on has none', async () => {
  const page = await get(`/r/${run.id}`, { Accept: 'text/html' });
  expect(page.text).toContain(`<meta property="og:image" content="${server.origin}/r/${run.id}/og.png" />`);
  expect(page.text).toContain('<meta name="twitter:card" content="summary_large_image" />');
  const { id } = await server.measurements.create('comparison', {}, null);
  expect((await get(`/r/${id}`, { Accept: 'text/html' })).text).not.toContain('og:image');
});

test('the frame has the verdict, three cards and a link to the result, and no script', async () => {
  const { status, headers, text } = await get(`/r/${run.id}/embed`);
  expect(status).toBe(200);
  expect(text).toContain(
    `<h1><a href="${server.origin}/r/${run.id}" target="_blank" rel="noopener">${headlineOfRun(run)?.title}</a></h1>\n<p>${headlineOfRun(run)?.second}</p>`,
  );
  expect(text.match(/<li>/g)).toHaveLength(3);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  expect(headers['x-frame-options']).toBeUndefined();
});

test('a measurement that goes on has a frame that says so', async () => {
  const { id } = await server.measurements.create('comparison', {}, null);
  const { status, text } = await get(`/r/${id}/embed`);
  expect(status).toBe(200);
  expect(text).toMatch(/Paired comparison, (queued|running)/);
});

test('the frame of another kind shows what it found, with its title below', async () => {
  const golden = new URL('../../life/database/golden/visits-v1.json', import.meta.url);
  const id = await storeEnded(server.database, visits as never, JSON.parse(readFileSync(golden, 'utf8')));
  const { text } = await get(`/l/${id}/embed`);
  expect(text).toMatch(/<h1><a [^>]*>A first visit over HTTPS takes 10.2 ms longer<\/a>/);
  expect(text).toContain('<p>+10.4 % (98.2 → 108.4 ms); a repeat visit +6.1 ms</p>');
  expect(text).toContain(`Title of ${id}`);
});

test('only these addresses may be shown by other sites', async () => {
  expect((await get(`/r/${run.id}/embed`, inFrame)).status).toBe(200);
  for (const name of ['og.png', 'badge.svg']) {
    const reply = await get(`/r/${run.id}/${name}`, asImage);
    expect(reply.status).toBe(200);
    expect(reply.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect((await get(`/r/${run.id}/${name}`, inFrame)).status).toBe(403);
  }
  expect((await get(`/r/${run.id}/embed`, asImage)).status).toBe(403);
  for (const path of ['/', `/r/${run.id}`, `/r/${run.id}.html`, '/api/v1/measurements']) {
    expect((await get(path, inFrame)).status, path).toBe(403);
  }
  const page = await get(`/r/${run.id}`, { Accept: 'text/html' });
  expect(page.headers['x-frame-options']).toBe('DENY');
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('what people typed is no markup in a frame', async () => {
  const scenario = { ...run.scenario, name: '<script>alert(1)</script>' };
  const { id } = await server.storeRun({ scenario });
  const { text } = await get(`/r/${id}/embed`);
  expect(text).not.toContain('<script');
  expect(text).toContain('&#60;script&#62;alert(1)');
});

test.each(['og.png', 'embed'])('where there is no result, %s says why', async (name) => {
  const gone = await server.storeRun();
  await buryMeasurement(server.database, gone.id, 1);
  const newer = await server.storeRun({ schemaVersion: 99 as never });
  const cases = [
    { id: 'Z'.repeat(22), status: 404, code: 'run_not_found' },
    { id: gone.id, status: 410, code: 'run_deleted' },
    { id: newer.id, status: 501, code: 'run_newer' },
    { id: 'short', status: 404, code: 'not_found' },
  ];
  for (const { id, status, code } of cases) {
    const reply = await get(`/r/${id}/${name}`, { Accept: 'application/json' });
    expect(reply.status, id).toBe(status);
    expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe(code);
  }
  expect((await server.send(`/r/${run.id}/${name}`, { method: 'POST' })).status).toBe(405);
});

test('a measurement that goes on has no picture yet', async () => {
  const { id } = await server.measurements.create('comparison', {}, null);
  const reply = await get(`/r/${id}/og.png`);
  expect(reply.status).toBe(409);
  expect(problemSchema.parse(JSON.parse(reply.text)).code).toBe('run_unfinished');
});
