/** Protects what a run says of real servers that close what was to be kept: a new connection is the unit, or the sides are not compared. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headlineOfRun } from '../../../../shared/words/headline.ts';
import { evidenceOf } from '../../../../shared/words/verdict-evidence.ts';
import { type Authority, openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { hasNginx, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { isEnd, openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';
import { shortenRuns } from '../../../testing/shorten-runs.ts';

let server: ServerInTest;
let authority: Authority;
let restore: () => void;
beforeAll(async () => {
  restore = shortenRuns({ epochs: { minimum: 8, maximum: 8 } });
  server = await openServerInTest();
  authority = await openAuthority(server.directory);
});
afterAll(async () => {
  await server.close();
  restore();
});

async function measure(httpPort: number, httpsPort: number) {
  const [http, https] = [`http://127.0.0.1:${httpPort}`, `https://127.0.0.1:${httpsPort}`];
  const target = { kind: 'origins', http, https, ca: authority.caPem } as const;
  const scenario = { name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' } as const] };
  const { id } = await server.create({ target, scenario, launches: 1 });
  await server.until(id, isEnd);
  return server.document(id);
}

test.runIf(hasNginx)(
  'an nginx that closes after two responses on one side alone is not compared',
  async () => {
    const schemes = ['http', 'https'] as const;
    const nginx = await startNginxInTest(authority, schemes, { ofHttps: 'keepalive_requests 2;' });
    try {
      const document = await measure(nginx.httpPort, nginx.httpsPort);
      const { connections, metrics } = document;
      expect(connections?.baseline.opened).toBe(0);
      const { opened = 0, requests = 0, handshakesFull } = connections?.comparison ?? {};
      // Connections opened ahead of a block answer its first requests.
      expect(opened / requests).toBeGreaterThan(0.3);
      expect(opened / requests).toBeLessThan(0.55);
      expect(handshakesFull).toBe(opened);
      expect(headlineOfRun(document)?.title).toMatch(
        /^No verdict: The sides differ in their connections, .*HTTPS opened \d/,
      );
      const of = (group: string) => metrics.filter(({ id }) => id.startsWith(group));
      for (const { outcome } of [...of('cpu_at_load'), ...of('throughput'), ...of('latency_p50')])
        expect(outcome).toBe('refused');
    } finally {
      await nginx.stop();
    }
  },
);

test('a server that closes after each response on both sides is measured per new connection', async () => {
  const listening: Server[] = [
    createServer((_, response) => response.setHeader('connection', 'close, TE').end('page')),
    createHttps({ cert: authority.certPem, key: authority.keyPem }, (_, response) =>
      response.setHeader('connection', 'close').end('page'),
    ),
  ];
  for (const each of listening) await once(each.listen(0, '127.0.0.1'), 'listening');
  const [http = 0, https = 0] = listening.map((each) => (each.address() as AddressInfo).port);
  try {
    const document = await measure(http, https);
    expect(document.connectionsPerTransaction).toBe(1);
    const { baseline, comparison } = document.connections ?? {};
    expect(baseline?.opened).toBe(baseline?.requests);
    expect(comparison?.opened).toBe(comparison?.requests);
    const { title = '', second = '' } = headlineOfRun(document) ?? {};
    expect(`${title} ${second}`).toContain('new connection');
    expect(evidenceOf(document)).toContain(
      'keep-alive was planned; the server closed each connection after one response',
    );
  } finally {
    for (const each of listening) each.close();
  }
});
