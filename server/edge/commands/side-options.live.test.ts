/** Protects what a command finds out about two addresses before it asks for a run: the certificate to trust, and a second listener. */
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RunRequest, runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { issueSelfSigned } from '../../testing/preflight-in-test.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { withTrust } from './side-options.ts';

test.runIf(hasNginx)(
  'the certificate of an nginx on this machine is trusted by its fingerprint, and its second plain listener is named',
  async () => {
    const server = await openServerInTest();
    const authority = await openAuthority(join(server.directory, 'authority'));
    const nginx = await startNginxInTest(authority, ['http', 'https', 'twin']);
    const said: string[] = [];
    const written = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    onTestFinished(() => written.mockRestore());
    const asked = async (more: object): Promise<RunRequest['target']> => {
      const http = `http://127.0.0.1:${nginx.httpPort}`;
      const https = `https://127.0.0.1:${nginx.httpsPort}`;
      const target = { kind: 'origins', http, https, ...more } as const;
      return (await withTrust(server.api, runRequestSchema.parse({ target }))).target;
    };
    const twin = `http://127.0.0.1:${nginx.twinPort}`;
    expect(await asked({})).toMatchObject({ trust: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/) });
    // A lookup that a busy machine holds up for 2 s leaves the other listener out.
    await expect.poll(() => asked({}).then(() => said.join(''))).toContain(`add --control ${twin}.`);
    expect(said.join('')).toContain('its name and dates are not checked');
    said.length = 0;
    expect(await asked({ ca: authority.caPem, twin })).not.toHaveProperty('trust');
    expect(said).toEqual([]);
    await nginx.stop();
    await server.close();
  },
);

test('a changed certificate at an address where a run trusted one asks for trust', async () => {
  const server = await openServerInTest();
  const application: RequestListener = (_request, response) => response.end('shop');
  const http = await listenAt(createHttp(application), 0);
  const first = createHttps(await issueSelfSigned('shop'), application);
  const https = await listenAt(first, 0);
  const target = {
    ...{ kind: 'origins', http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
  } as const;
  const request = runRequestSchema.parse({ target });
  const trusting = await withTrust(server.api, request);
  expect(trusting.target).toMatchObject({ trust: expect.any(String) });
  const { id } = await server.create(trusting);
  await server.cancel(id, true);
  expect(await withTrust(server.api, request)).toEqual(trusting);

  first.closeAllConnections();
  await new Promise((resolve) => first.close(resolve));
  await listenAt(createHttps(await issueSelfSigned('shop'), application), https);
  expect((await withTrust(server.api, request)).target).not.toHaveProperty('trust');
  await server.close();
});

async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
