/** Protects the probe over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test.each<[code: string, url: unknown]>([
  ['invalid_request', 'http://127.0.0.1:1'],
  ['invalid_request', 'https://ann:secret@127.0.0.1:1'],
  ['invalid_request', 7],
  ['target_not_permitted', 'https://169.254.169.254/latest'],
  ['target_not_permitted', 'https://[::ffff:10.0.0.1]'],
  ['target_not_permitted', 'https://0x0a000001'],
])('a probe answers %s for %j', async (code, url) => {
  const headers = { origin: server.origin };
  const { text } = await server.send('/api/v1/probe', { method: 'POST', body: { url }, headers });
  expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code });
});
