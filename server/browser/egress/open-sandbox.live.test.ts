/** Protects the sandbox: whatever a recorded page tries, nothing gets past the egress. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../find-chromium.ts';
import { openSandbox, type Sandbox } from './open-sandbox.ts';

const datagrams = createSocket('udp4');
const server = createServer((incoming, response) => {
  if (incoming.headers.host !== `127.0.0.1:${port}`) seen.push(`${incoming.headers.host}`);
  response.setHeader('Content-Type', 'text/html').end('<title>Page</title>');
});
const seen: string[] = [];
let udpPort = 0;
let port = 0;
let sandbox: Sandbox;

beforeAll(async () => {
  datagrams.on('message', () => seen.push('a datagram'));
  datagrams.bind(0, '0.0.0.0');
  await once(datagrams, 'listening');
  udpPort = datagrams.address().port;
  server.on('upgrade', (_incoming, socket) => {
    seen.push('an upgrade');
    socket.destroy();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  sandbox = await openSandbox({
    permits: [],
    executablePath: findChromium(process.env) ?? '',
    url: `http://127.0.0.1:${port}/`,
    viewport: { width: 800, height: 600 },
    known: new Map(),
    onRefused: () => {},
  });
});
afterAll(async () => {
  await sandbox.close();
  datagrams.close();
  server.closeAllConnections();
  server.close();
});

test('a page of the sandbox reaches nothing past the egress: no peer, no socket, no beacon, no frame', async () => {
  const page = await sandbox.context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const tried = await page.evaluate(
    async ({ udpPort, port }) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udpPort}` }] });
      peer.createDataChannel('canary');
      const gathered = new Promise<void>((resolve) => {
        peer.onicecandidate = ({ candidate }) => {
          if (candidate === null) resolve();
        };
      });
      await peer.setLocalDescription(await peer.createOffer());
      await gathered;
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
      return peer.iceGatheringState;
    },
    { udpPort, port },
  );
  expect(tried).toBe('complete');
  expect(seen).toEqual([]);
  expect(sandbox.egress.refusals().map(({ host }) => host)).toContain(`0.0.0.0:${port}`);
});
