/** Protects the page that documents the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('the description of the API is served', async () => {
  const reply = await server.send('/api/openapi.json');
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toContain('application/json');
  expect(JSON.parse(reply.text)).toMatchObject({ openapi: '3.1.1', info: { version: '0.1.0' } });
});

test('the page to browse it is one of the client’s', async () => {
  const page = await server.send('/api/docs');
  expect(page).toMatchObject({ status: 200, text: (await server.send('/docs')).text });
});
