/** Protects the API: every answer is as its schema says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '../../../shared/api/endpoint.ts';
import { type EndpointName, endpoints } from '../../../shared/api/endpoints.ts';
import { measurementListSchema } from '../../../shared/api/measurement-endpoints.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { createdMeasurementSchema } from '../../../shared/measurement/measurement.ts';
import { openTestServer, type Reply, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The body as the endpoint's own schema reads it. */
function bodyOf<Name extends EndpointName>(name: Name, reply: Reply) {
  const { status = 200, response }: Endpoint = endpoints[name];
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  return (response as unknown as z.ZodType).parse(JSON.parse(reply.text));
}

function problemIn(reply: Reply) {
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem = problemSchema.parse(JSON.parse(reply.text));
  expect(problem.status).toBe(reply.status);
  return problem;
}

test('health, limits and scenarios are as their schemas say', async () => {
  expect(bodyOf('health', await server.send('/api/v1/health'))).toMatchObject({
    status: 'ok',
    running: null,
    holder: null,
  });
  expect(bodyOf('limits', await server.send('/api/v1/limits'))).toMatchObject({ bodyBytes: 100_000 });
  expect(bodyOf('listScenarios', await server.send('/api/v1/scenarios'))).toHaveLength(1);
  expect(bodyOf('showScenario', await server.send('/api/v1/scenarios/search'))).toMatchObject({
    builtIn: true,
    scenario: { name: 'Search' },
  });
  const unknown = await server.send('/api/v1/scenarios/nothing');
  expect(problemIn(unknown)).toMatchObject({ code: 'scenario_not_found', status: 404 });
});

test('a preflight report is as its schema says', async () => {
  const reply = await server.send('/api/v1/preflight', { method: 'POST', body: {} });
  expect(bodyOf('preflight', reply)).toMatchObject({ ok: true });
});

test('a created run has a Location, is in the list, and is canceled', async () => {
  await server.measurements.create('comparison', {}, null);
  const reply = await server.send('/api/v1/measurements', {
    method: 'POST',
    body: { kind: 'comparison', length: 'first' },
  });
  const created = createdMeasurementSchema.parse(bodyOf('createMeasurement', reply));
  expect(reply.headers.location).toBe(`/r/${created.id}`);
  expect(created.eventsUrl).toBe(`/api/v1/measurements/${created.id}/events`);

  const list = measurementListSchema.parse(
    bodyOf('listMeasurements', await server.send('/api/v1/measurements?state=queued')),
  );
  expect(list.measurements[0]).toMatchObject({
    id: created.id,
    state: 'queued',
    queuePosition: 1,
    scenario: 'Search',
  });

  const path = `/api/v1/measurements/${created.id}/cancel`;
  const cancelled = await server.send(path, { method: 'POST', body: { keep: true } });
  expect(bodyOf('cancelMeasurement', cancelled)).toMatchObject({ state: 'incomplete' });
  const again = await server.send(path, { method: 'POST', body: { keep: true } });
  expect(problemIn(again)).toMatchObject({ code: 'run_over', status: 409 });
});

test('the document of a run is the same at the API as at its permalink', async () => {
  const { id } = await server.storeRun();
  const shown = await server.send(`/api/v1/measurements/${id}`);
  expect(bodyOf('showMeasurement', shown)).toMatchObject({ id, state: 'finished' });
  const linked = await server.send(`/r/${id}.json`);
  expect(shown.text).toBe(linked.text);
  expect(shown.headers.etag).toBe(linked.headers.etag);
});

test('a run is deleted by its token only, and its link is gone from then on', async () => {
  const { id } = await server.storeRun();
  const path = `/api/v1/measurements/${id}`;
  const withToken = (token: string) =>
    server.send(path, { method: 'DELETE', headers: { 'X-Delete-Token': token } });

  expect(problemIn(await server.send(path, { method: 'DELETE' }))).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'x-delete-token' }],
  });
  expect(problemIn(await withToken('wrong'))).toMatchObject({ code: 'wrong_delete_token', status: 403 });
  expect((await server.send(path)).status).toBe(200);

  const deleted = await withToken('token');
  expect(deleted).toMatchObject({ status: 204, text: '' });
  expect(problemIn(await server.send(path))).toMatchObject({ code: 'run_binned', status: 410 });
  expect(problemIn(await withToken('token'))).toMatchObject({ code: 'run_binned', status: 410 });
});

test('a run that is not over cannot be deleted', async () => {
  const { id, deleteToken } = createdMeasurementSchema.parse(
    JSON.parse(
      (await server.send('/api/v1/measurements', { method: 'POST', body: { kind: 'comparison' } })).text,
    ),
  );
  const reply = await server.send(`/api/v1/measurements/${id}`, {
    method: 'DELETE',
    headers: { 'X-Delete-Token': deleteToken ?? '' },
  });
  expect(problemIn(reply)).toMatchObject({ code: 'run_unfinished', status: 409 });
});

test('HEAD answers as GET does, without the body', async () => {
  const [get, head] = [
    await server.send('/api/v1/limits'),
    await server.send('/api/v1/limits', { method: 'HEAD' }),
  ];
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
});

test.each([
  ['PUT', '/api/v1/measurements', 'POST, GET, HEAD'],
  ['DELETE', '/api/v1/health', 'GET, HEAD'],
  ['GET', `/api/v1/measurements/${'a'.repeat(22)}/cancel`, 'POST'],
  ['PUT', `/api/v1/measurements/${'a'.repeat(22)}`, 'GET, HEAD, PATCH, DELETE'],
  ['POST', `/r/${'a'.repeat(22)}`, 'GET, HEAD'],
])('%s %s is refused, and Allow lists what is allowed', async (method, path, allow) => {
  const reply = await server.send(path, { method });
  expect(problemIn(reply)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  expect(new Set(reply.headers.allow?.split(', '))).toEqual(new Set(allow.split(', ')));
});

test('what the API does not have is a problem, even to a browser', async () => {
  for (const path of [
    '/api',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/measurements',
    '/api/v1/runs',
    '/api/v1/lab',
    '/api/v1/measurements/a/b/c',
  ]) {
    const reply = await server.send(path, { headers: { Accept: 'text/html' } });
    expect(problemIn(reply)).toMatchObject({ code: 'not_found', status: 404 });
  }
});
