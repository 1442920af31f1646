/** Protects several results as one file: what is in it, and a clear answer to what cannot be in one. */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { sizes } from '../../kinds/sizes/kind.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { storeEnded } from '../../testing/store-ended.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const get = (query: string) => server.send(`/api/v1/report${query}`);

function savedIn(page: string) {
  const [, packed = ''] =
    /<script id="packed-result" type="application\/gzip">([^<]*)<\/script>/.exec(page) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());
}

test('results of any kind are in one file in the order that was asked for, each with its line', async () => {
  const run = await server.storeRun();
  const swept = sampleSizes();
  await storeEnded(server.database, sizes as unknown as AnyKind<never>, swept);
  const title = 'For <b>Example</b> Ltd.';
  const reply = await get(`?ids=${swept.id},${run.id}&title=${encodeURIComponent(title)}`);
  expect(reply.status).toBe(200);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': 'attachment; filename=tls-toll-report.html',
    'content-security-policy': "default-src 'none'; script-src 'sha256-test'; frame-ancestors 'none'",
  });
  const saved = savedIn(reply.text);
  expect(saved.title).toBe(title);
  expect(saved.results.map((each: { document: { id: string } }) => each.document.id)).toEqual([
    swept.id,
    run.id,
  ]);
  const { title: said, second } = headlineOfRun(run) ?? {};
  expect(saved.results[1].line).toMatchObject({ title: said, second });
  expect(reply.text).toContain('<h1>For &#60;b&#62;Example&#60;/b&#62; Ltd.</h1>');
});

test('one that is asked for twice is in it once, and without a title it has the usual one', async () => {
  const { id } = await server.storeRun();
  const { title, results } = savedIn((await get(`?ids=${id},${id}`)).text);
  expect([title, results.length]).toEqual(['Measured with TLS Toll', 1]);
});

test('what cannot be in a file is named', async () => {
  const run = await server.storeRun();
  const { id: running } = await server.measurements.create('comparison', {}, null);
  const unknown = 'Z'.repeat(22);
  const many = Array.from({ length: 21 }, (_, index) => `${index}`.padStart(22, '0')).join(',');
  const cases: [query: string, status: number, code: string, detail: RegExp][] = [
    ['', 400, 'invalid_request', /IDs of results/],
    ['?ids=', 400, 'invalid_request', /give the ID of a result/i],
    ['?ids=short', 400, 'invalid_request', /./],
    [`?ids=${many}`, 400, 'invalid_request', /at most 20 results/],
    [`?ids=${run.id}&title=${'x'.repeat(201)}`, 400, 'invalid_request', /title/],
    [`?ids=${run.id},${unknown}`, 404, 'run_not_found', new RegExp(unknown)],
    [`?ids=${run.id},${running}`, 409, 'run_unfinished', new RegExp(running)],
  ];
  for (const [query, status, code, detail] of cases) {
    const reply = await get(query);
    expect(reply.status, query).toBe(status);
    const problem = problemSchema.parse(JSON.parse(reply.text));
    expect(problem.code).toBe(code);
    expect(JSON.stringify(problem)).toMatch(detail);
  }
});
