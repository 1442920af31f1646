/** Protects the API from bad input: it is refused by the name of the field, and nothing makes the server fail. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { isRecord } from '../../base/text/is-record.ts';
import { openTestServer, type Reply, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const measurements = '/api/v1/measurements';
const some = 'a'.repeat(22);

function refusalIn(reply: Reply): Problem {
  expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
  expect(reply.status, reply.text).toBeLessThan(500);
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d+|at .*\(/);
  return problemSchema.parse(JSON.parse(reply.text));
}

const step = { name: 'Home', method: 'GET', path: '/' };
const scenario = { name: 'Mine', steps: [step] };
const target = { http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' };

test.each<[field: string, body: unknown]>([
  ['', null],
  ['', 'text'],
  ['', 7],
  ['', []],
  ['surprise', { surprise: 1 }],
  ['length', { length: 'fast' }],
  ['length', { length: null }],
  ['seed', { seed: -1 }],
  ['seed', { seed: 1.5 }],
  ['seed', { seed: 2 ** 31 }],
  ['seed', { seed: '7' }],
  ['users', { users: 0 }],
  ['users', { users: 5001 }],
  ['connectionPolicy', { connectionPolicy: 'none' }],
  ['transports', { transports: ['http', 'https'] }],
  ['sides.baseline.transport', { sides: { baseline: { transport: 'ftp' } } }],
  ['tls.version', { tls: { version: 'SSLv3' } }],
  ['tls.cipher', { tls: { cipher: 'any of them' } }],
  ['tls.group', { tls: { group: '' } }],
  ['tls.resumedShare', { tls: { resumedShare: 1.5 } }],
  ['tls.sni', { tls: { sni: 'other.example' } }],
  ['ratePerS', { ratePerS: 0 }],
  ['rampMs', { rampMs: -1 }],
  ['thinkTimeScale', { thinkTimeScale: 11 }],
  ['generators', { generators: 17 }],
  ['requestsPerConnection', { requestsPerConnection: 0 }],
  ['target', { target: 'shop' }],
  ['target', { target: 5 }],
  ['target.https', { target: { http: target.http } }],
  ['target.http', { target: { ...target, http: 'nonsense' } }],
  ['target.http', { target: { ...target, http: 'http://127.0.0.1:1/path' } }],
  ['target.https', { target: { ...target, https: 'https://user:secret@127.0.0.1:2' } }],
  ['target.pid', { target: { ...target, pid: -4 } }],
  ['target.ca', { target: { ...target, ca: 'not a certificate' } }],
  ['target.extra', { target: { ...target, extra: true } }],
  ['scenario', { scenario: 'x'.repeat(41) }],
  ['scenario', { scenario: 3 }],
  ['scenario.steps', { scenario: { name: 'Mine' } }],
  ['scenario.steps', { scenario: { ...scenario, steps: [] } }],
  ['scenario.name', { scenario: { ...scenario, name: ' ' } }],
  ['scenario.steps.0.method', { scenario: { ...scenario, steps: [{ ...step, method: 'FETCH' }] } }],
  ['scenario.steps.0.path', { scenario: { ...scenario, steps: [{ ...step, path: '/\\evil' }] } }],
  ['scenario.steps.0.path', { scenario: { ...scenario, steps: [{ ...step, path: '/a b' }] } }],
  ['scenario.steps.0.body', { scenario: { ...scenario, steps: [{ ...step, method: 'HEAD', body: 'x' }] } }],
  [
    'scenario.steps.0.headers.Host',
    { scenario: { ...scenario, steps: [{ ...step, headers: { Host: 'x' } }] } },
  ],
])('a new run with a wrong %s is refused by that name: %j', async (field, body) => {
  const reply = await server.send(measurements, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(isRecord(body) ? { kind: 'comparison', ...body } : body),
  });
  const problem = refusalIn(reply);
  expect(problem.code).toBe('invalid_request');
  expect(problem.errors?.map((error) => error.field)).toContain(field);
});

test.each<[field: string, method: string, path: string, headers: Record<string, string>]>([
  ['limit', 'GET', `${measurements}?limit=0`, {}],
  ['limit', 'GET', `${measurements}?limit=101`, {}],
  ['limit', 'GET', `${measurements}?limit=ten`, {}],
  ['limit', 'GET', `${measurements}?limit=1&limit=2`, {}],
  ['state', 'GET', `${measurements}?state=done`, {}],
  ['cursor', 'GET', `${measurements}?cursor=here`, {}],
  ['q', 'GET', `${measurements}?q=${'x'.repeat(101)}`, {}],
  ['verdict', 'GET', `${measurements}?verdict=guilty`, {}],
  ['tag', 'GET', `${measurements}?tag=a,b`, {}],
  ['target', 'GET', `${measurements}?target=a&target=b`, {}],
  ['order', 'GET', `${measurements}?order=asc`, {}],
  ['metric', 'GET', `${measurements}/${some}/series?metric=cpu`, {}],
  ['id', 'GET', `${measurements}/short`, {}],
  ['id', 'GET', `${measurements}/${'a'.repeat(21)}%20`, {}],
  ['id', 'GET', `${measurements}/${'a'.repeat(23)}/events`, {}],
  ['id', 'DELETE', `${measurements}/..%2f..%2fetc`, { 'X-Delete-Token': 'x' }],
  ['id', 'GET', `/api/v1/scenarios/${'x'.repeat(41)}`, {}],
  ['x-delete-token', 'DELETE', `${measurements}/${some}`, { 'X-Delete-Token': '' }],
  ['idempotency-key', 'POST', measurements, { 'Idempotency-Key': 'k'.repeat(201) }],
  ['lastEventId', 'GET', `${measurements}/${some}/events`, { 'Last-Event-ID': 'one' }],
  ['lastEventId', 'GET', `${measurements}/${some}/events?lastEventId=-1`, {}],
])('a wrong %s is refused by that name: %s %s', async (field, method, path, headers) => {
  const body = method === 'POST' ? { body: { kind: 'comparison' } } : {};
  const problem = refusalIn(await server.send(path, { method, headers, ...body }));
  expect(problem.code).toBe('invalid_request');
  expect(problem.errors?.map((error) => error.field)).toContain(field);
});

test.each<[code: string, headers: Record<string, string>, body: string]>([
  ['malformed_json', { 'Content-Type': 'application/json' }, '{"length":'],
  ['malformed_json', { 'Content-Type': 'application/json' }, '\u0000'],
  ['unsupported_media_type', { 'Content-Type': 'text/plain' }, '{}'],
  ['unsupported_media_type', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'length=quick'],
  ['unsupported_media_type', { 'Content-Type': 'nonsense' }, '{}'],
  ['unsupported_media_type', {}, '{}'],
  ['unsupported_media_type', { 'Content-Type': 'application/json; charset=klingon' }, '{}'],
  ['unsupported_media_type', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 'zip'],
  ['body_too_large', { 'Content-Type': 'application/json' }, `"${'x'.repeat(100_000)}"`],
  ['invalid_request', { 'Content-Type': 'application/json' }, ''],
])('a body is refused as %s: %j', async (code, headers, body) => {
  expect(refusalIn(await server.send(measurements, { method: 'POST', headers, body })).code).toBe(code);
});

test.each([
  '/api/v1/measurements/%zz',
  '/r/%zz',
  '/%zz',
  '/api/docs/%00',
  '/assets/%00',
  '/assets/..%2f..%2fpackage.json',
])('the address %s is refused', async (path) => {
  refusalIn(await server.send(path));
});

test('no body, query, id or header that can be thought of makes the server fail', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const headerText = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const field = fc.constantFrom('target', 'scenario', 'length', 'sides', 'seed', 'tls', 'users', '__proto__');
  const calls = fc.oneof(
    fc.record({
      kind: fc.constant('body' as const),
      body: fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())),
    }),
    fc.record({
      kind: fc.constant('query' as const),
      key: fc.constantFrom('q', 'cursor', 'limit', 'state', 'verdict', 'target', 'tag'),
      value: text,
    }),
    fc.record({ kind: fc.constant('id' as const), id: text }),
    fc.record({ kind: fc.constant('header' as const), value: headerText }),
  );
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const encode = (value: string) => encodeURIComponent(value.toWellFormed());
      const reply =
        call.kind === 'body'
          ? await server.send('/api/v1/preflight', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify(call.body),
            })
          : call.kind === 'query'
            ? await server.send(`${measurements}?${call.key}=${encode(call.value)}`)
            : call.kind === 'id'
              ? await server.send(`/r/${encode(call.id)}`, { headers: { Accept: 'application/json' } })
              : await server.send(`/r/${some}`, {
                  headers: { Accept: call.value, 'If-None-Match': call.value },
                });
      if (reply.status >= 400)
        expect(reply.status, `${JSON.stringify(call)} ${reply.text}`).toBeLessThan(500);
      else expect([200, 304]).toContain(reply.status);
    }),
    { numRuns: 300 },
  );
});
