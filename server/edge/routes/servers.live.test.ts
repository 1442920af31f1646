/** Protects the servers that are offered, and the configuration that a run leaves to download. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { serverNames } from '../../../shared/target/server-options.ts';
import { foundServerSchema } from '../../../shared/target/target.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('every server is listed, with its version or the packages that bring it', async () => {
  const { status, text } = await server.send('/api/v1/servers');
  expect(status).toBe(200);
  const found = z.array(foundServerSchema).parse(JSON.parse(text));
  expect(found.map(({ name }) => name)).toEqual([...serverNames]);
  for (const { installed, version, missing, packages } of found) {
    expect(version === null).toBe(!installed);
    expect(missing.length === 0).toBe(installed);
    expect(packages).toEqual(expect.arrayContaining(missing));
  }
  expect(found.find(({ name }) => name === 'node')).toMatchObject({ version: process.versions.node });
});

test('the configuration of a run is a text, listener after listener', async () => {
  const measured = {
    name: 'nginx',
    title: 'nginx',
    version: '1.22.1',
    tlsLibrary: null,
    witness: null,
  } as const;
  const files = [{ arm: 'comparison' as const, name: 'nginx.conf', text: 'listen 127.0.0.1:4001 ssl;\n' }];
  const { id } = await server.storeRun({ server: { ...measured, files } });
  const { status, headers, text } = await server.send(`/api/v1/measurements/${id}/configuration`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['content-disposition']).toContain(`tls-toll-${id}.conf.txt`);
  expect(text).toBe(
    '# nginx 1.22.1, TLS library not readable: as measured\n\n# nginx.conf of the second side (HTTPS)\n\nlisten 127.0.0.1:4001 ssl;\n',
  );
});

test('a run of another target has no configuration', async () => {
  const { id } = await server.storeRun({ id: '4fK9mQx7Lw2RtYb8NcVd1Z' });
  const { status, text } = await server.send(`/api/v1/measurements/${id}/configuration`);
  expect([status, JSON.parse(text).code]).toEqual([404, 'not_found']);
});
