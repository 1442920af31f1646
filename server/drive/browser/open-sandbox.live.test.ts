/** Protects the sandbox: whatever a recorded page tries, nothing gets past the egress. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from './capture-exchanges.ts';
import { findChromium } from './find-chromium.ts';

const server = createServer((incoming, response) => {
  if (incoming.headers.host !== `127.0.0.1:${port}`) seen.push(`${incoming.headers.host}`);
  response.setHeader('Content-Type', 'text/html').end('<title>Page</title>');
});
const seen: string[] = [];
let port = 0;
let sandbox: Sandbox;

beforeAll(async () => {
  server.on('upgrade', (_incoming, socket) => {
    seen.push('an upgrade');
    socket.destroy();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  sandbox = await openSandbox({
    permits: [],
    own: [],
    executablePath: findChromium(process.env) ?? '',
    url: `http://127.0.0.1:${port}/`,
    viewport: { width: 800, height: 600 },
    known: new Map(),
    onRefused: () => {},
  });
});
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  server.close();
});

test('a page of the sandbox reaches nothing past the egress: no socket, no beacon, no frame', async () => {
  const page = await sandbox.context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const peers = await page.evaluate(
    async ({ port }) => {
      navigator.sendBeacon(`http://0.0.0.0:${port}/beacon`, 'x');
      const socket = new WebSocket(`ws://0.0.0.0:${port}/socket`);
      await new Promise((resolve) => {
        socket.onerror = resolve;
      });
      const frame = document.createElement('iframe');
      frame.src = `http://0.0.0.0:${port}/frame`;
      await new Promise((resolve) => {
        frame.onload = resolve;
        document.body.append(frame);
      });
      return typeof RTCPeerConnection;
    },
    { port },
  );
  expect(peers).toBe('undefined');
  expect(seen).toEqual([]);
  expect(sandbox.egress.blocked().map(({ host }) => host)).toContain(`0.0.0.0:${port}`);
});
