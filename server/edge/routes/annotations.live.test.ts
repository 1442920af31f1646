/** Protects title, note and tags over HTTP: bad ones are refused at their field, and nothing in them is ever markup. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measurementListSchema } from '../../../shared/api/measurement-endpoints.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { annotationSchema, listChoicesSchema } from '../../../shared/measurement/annotation.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let run: RunDocument;
beforeAll(async () => {
  server = await openTestServer();
  run = await server.storeRun();
});
afterAll(() => server.close());

const api = '/api/v1/measurements';
const patch = (body: unknown, id = run.id, headers: Record<string, string> = {}) =>
  server.send(`${api}/${id}`, { method: 'PATCH', body, headers });
const annotationOf = async (id: string) =>
  annotationSchema.parse(JSON.parse((await server.send(`${api}/${id}/annotation`)).text));

test('an annotation is changed part by part, and its document and its ETag stay as they are', async () => {
  const before = await server.send(`/r/${run.id}.json`);
  const annotation = { title: 'After the upgrade', note: 'Zeile 1\nשורה 2', tags: ['nightly'] };
  const changed = await patch(annotation);
  expect([changed.status, changed.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(annotationSchema.parse(JSON.parse(changed.text))).toMatchObject(annotation);
  await patch({ tags: ['weekly', 'tls'] });
  expect(await annotationOf(run.id)).toMatchObject({ ...annotation, tags: ['weekly', 'tls'] });
  const after = await server.send(`/r/${run.id}.json`);
  expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
  expect((await server.send(`/r/${run.id}.md`)).text).toContain('**After the upgrade**');

  for (const place of ['embed', 'og.png']) {
    expect((await server.send(`/r/${run.id}/${place}`)).status, place).toBe(200);
  }
  expect((await server.send(`/r/${run.id}/embed`)).text).toContain('After the upgrade: ');
  const file = (await server.send(`/r/${run.id}.html`)).text;
  const [, packed = ''] = /application\/gzip">([^<]+)</.exec(file) ?? [];
  const { document: saved, annotation: written } = JSON.parse(
    gunzipSync(Buffer.from(packed, 'base64')).toString(),
  );
  expect(saved.id).toBe(run.id);
  expect(written).toMatchObject({ ...annotation, tags: ['weekly', 'tls'] });

  const list = async (query: string) =>
    measurementListSchema.parse(JSON.parse((await server.send(`${api}?${query}`)).text)).measurements;
  for (const query of ['q=zeile+upgrade', 'tag=WEEKLY', 'verdict=overhead', 'target=storefront']) {
    expect(await list(query), query).toMatchObject([{ id: run.id, title: annotation.title }]);
  }
  expect(await list('tag=nightly')).toEqual([]);
  const choices = await server.send('/api/v1/filters');
  expect(listChoicesSchema.parse(JSON.parse(choices.text))).toEqual({
    targets: [{ name: 'storefront', count: 1 }],
    tags: [
      { name: 'tls', count: 1 },
      { name: 'weekly', count: 1 },
    ],
    kinds: [{ name: 'comparison', count: 1 }],
  });
});

test.each<[field: string, body: unknown]>([
  ['title', { title: 'x'.repeat(10_000) }],
  ['title', { title: 7 }],
  ['note', { note: 'x'.repeat(10_001) }],
  ['note', { note: null }],
  ['tags', { tags: Array.from({ length: 10_000 }, (_, i) => `tag${i}`) }],
  ['tags', { tags: 'nightly' }],
  ['tags.0', { tags: ['x'.repeat(41)] }],
  ['tags.0', { tags: [''] }],
  ['colour', { colour: 'red' }],
  ['', []],
  ['', null],
])('a change with a wrong %s is refused by that name', async (field, body) => {
  const before = await annotationOf(run.id);
  const reply = await patch(body);
  const problem = problemSchema.parse(JSON.parse(reply.text));
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(problem.errors?.map((error) => error.field)).toEqual([field]);
  expect(reply.text.length).toBeLessThan(2000);
  expect(await annotationOf(run.id)).toEqual(before);
});

test.each(['q', 'target', 'tag', 'verdict', 'kind', 'state'])(
  'the list is not narrowed by a wrong %s',
  async (name) => {
    const reply = await server.send(`${api}?${name}=${'x'.repeat(1001)}`);
    expect(reply.status).toBe(400);
    expect(problemSchema.parse(JSON.parse(reply.text)).errors?.map(({ field }) => field)).toEqual([name]);
  },
);

test('a page of another site cannot write on a measurement', async () => {
  const reply = await patch({ title: 'Theirs' }, run.id, { Origin: 'http://evil.example' });
  expect(reply.status).toBe(403);
  expect(await annotationOf(run.id)).not.toMatchObject({ title: 'Theirs' });
});

test('markup and right-to-left text are text wherever they are sent', async () => {
  const nasty = '<script>alert(1)</script>"\'&$& \u202eשלום';
  const { id } = await server.storeRun();
  expect((await patch({ title: nasty, note: nasty, tags: ['<b>x</b>'] }, id)).status).toBe(200);
  expect(await annotationOf(id)).toMatchObject({ title: nasty, note: nasty, tags: ['<b>x</b>'] });
  const page = await server.send(`/r/${id}`, { headers: { Accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('<script>alert');
  const report = await server.send(`/r/${id}.md`);
  expect(report.text).toContain('\\<script\\>alert(1)\\</script\\>');
  expect(report.text).not.toContain('<script>');
});

test('what is not there has no annotation', async () => {
  expect((await patch({ title: 'x' }, 'Z'.repeat(22))).status).toBe(404);
  expect((await patch({ title: 'x' }, 'short')).status).toBe(400);
  expect((await server.send(`${api}/${'Z'.repeat(22)}/annotation`)).status).toBe(404);
});
