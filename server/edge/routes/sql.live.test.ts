/** Protects SQL over HTTP: it answers the dashboard's own page, and refuses other sites, rubbish and whatever writes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlResultSchema } from '../../../shared/results/history.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const post = (body: unknown, headers: Record<string, string> = { origin: server.origin }) =>
  server.send('/api/v1/sql', { method: 'POST', body, headers });

test('a stored run is there, and gone when it is deleted', async () => {
  const { id } = await server.storeRun();
  const sql = `select metric, verdict from v_metrics where measurement_id = '${id}' order by metric`;
  const reply = await post({ sql });
  expect(reply.status, reply.text).toBe(200);
  const { columns, rows } = sqlResultSchema.parse(JSON.parse(reply.text));
  expect(columns).toEqual(['metric', 'verdict']);
  expect(rows).toContainEqual(['cpu_at_load', 'overhead']);
  const headers = { origin: server.origin, 'x-delete-token': 'token' };
  expect((await server.send(`/api/v1/measurements/${id}`, { method: 'DELETE', headers })).status).toBe(204);
  expect(JSON.parse((await post({ sql })).text).rows).toEqual([]);
});

test.each([
  [{ sql: 'select request from measurements' }, 422, 'sql_refused'],
  [{ sql: 'selec 1' }, 422, 'sql_invalid'],
  [{ sql: '' }, 400, 'invalid_request'],
  [{ sql: 'select 1', limit: 0 }, 400, 'invalid_request'],
  [{}, 400, 'invalid_request'],
])('%j is answered by %i', async (body, status, code) => {
  const reply = await post(body);
  expect(reply.status).toBe(status);
  expect(JSON.parse(reply.text)).toMatchObject({ code });
});

test('another site may not ask, nor a link', async () => {
  expect((await post({ sql: 'select 1' }, { origin: 'http://other.example' })).status).toBe(403);
  expect((await server.send('/api/v1/sql')).status).toBe(405);
});
