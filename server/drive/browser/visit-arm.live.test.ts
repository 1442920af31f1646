/** Protects a journey from pages that never rest: every visit ends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { withChromium } from './launch-chromium.ts';
import { visitArm } from './visit-arm.ts';

test('a visit of a page that is busy with itself for ever has an end', async () => {
  const server = createServer((_incoming, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>Busy</title><script>onload = () => setTimeout(() => { for (;;); })</script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const launch = {
    executablePath: findChromium(process.env) ?? '',
    listeners: [{ hostname: '127.0.0.1', address: '127.0.0.1', port }],
    ...{ trustedSpki: null, timeoutMs: patienceMs },
  };
  const signal = new AbortController().signal;
  const visit = withChromium(launch, signal, (browser) =>
    visitArm(browser, origin, [{ type: 'goto', line: null, page: 0, url: `${origin}/` }], signal, {
      patienceMs: 1_000,
    }),
  );
  await expect(visit).rejects.toThrow('it was not done after 1 s');
  server.closeAllConnections();
  server.close();
});
