/** Protects hosts that nobody allowed from the pages that a browser of this server visits. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './launch-chromium.ts';
import { openContext } from './record-exchanges.ts';

const forbidden = '127.0.0.2';

test('a page reaches no other host: by no peer, frame, socket, prefetch, worker, redirect, or beacon', async () => {
  const seen: string[] = [];
  const datagrams = createSocket('udp4', () => seen.push('a datagram'));
  datagrams.bind(0, forbidden);
  await once(datagrams, 'listening');
  const udp = datagrams.address().port;
  const canary = createServer((socket) => {
    seen.push('a connection');
    socket.destroy();
  }).listen(0, forbidden);
  await once(canary, 'listening');
  const tcp = (canary.address() as AddressInfo).port;
  const server = createHttp((request, response) => {
    if (request.url === '/away') response.writeHead(302, { Location: `http://${forbidden}:${tcp}/` }).end();
    else response.setHeader('Content-Type', 'text/html').end('<title>Page</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const browser = await launchChromium({
    executablePath: findChromium(process.env) ?? '',
    // The forbidden addresses have open ports, so that no list of unsafe ports protects them.
    listeners: [
      { hostname: 'localhost', address: '127.0.0.1', port },
      { hostname: 'localhost', address: '127.0.0.1', port: tcp },
    ],
    trustedSpki: null,
    timeoutMs: 30_000,
  });
  try {
    const context = await openContext(browser);
    const page = await context.newPage();
    await page.goto(`http://localhost:${port}/`);
    const tried = await page.evaluate(
      async ({ forbidden, udp, tcp }) => {
        const settled = (target: object) =>
          new Promise<void>((resolve) => {
            Object.assign(target, { onload: resolve, onerror: resolve, onclose: resolve });
          });
        const urls = [
          `stun:${forbidden}:${udp}`,
          `turn:${forbidden}:${udp}`,
          `turn:${forbidden}:${tcp}?transport=tcp`,
        ];
        const ice = urls.map((url) => ({ urls: url, username: 'u', credential: 'c' }));
        const call = async (peer: RTCPeerConnection) => {
          peer.createDataChannel('canary');
          const gathered = new Promise((resolve) => {
            peer.onicecandidate = ({ candidate }) => candidate ?? resolve(null);
          });
          await peer.setLocalDescription(await peer.createOffer());
          await gathered;
        };
        const attach = <Name extends 'iframe' | 'img' | 'link'>(name: Name, set: object) => {
          const element = document.createElement(name);
          const done = settled(Object.assign(element, set));
          document.body.append(element);
          return { element, done };
        };
        const frames = ['', 'about:blank', 'javascript:""', 'data:text/html,x'].map((src) =>
          attach('iframe', { src }),
        );
        const empty = attach('iframe', { srcdoc: '<p>' });
        const popups = [open(''), open('javascript:""')].flatMap((popup) => popup ?? []);
        // At once, and when they have been loaded.
        const windows = () => [
          window,
          ...popups,
          ...frames.concat(empty).flatMap(({ element }) => element.contentWindow ?? []),
        ];
        const peers: Promise<void>[] = [];
        // A window that has gone answers nothing.
        const late = new Promise<void>((resolve) => setTimeout(resolve, 5_000));
        const callAll = () => {
          for (const each of windows()) {
            try {
              const { RTCPeerConnection: Peer } = each as unknown as typeof window;
              peers.push(Promise.race([call(new Peer({ iceServers: ice })), late]));
            } catch {}
          }
        };
        callAll();
        await Promise.all(frames.concat(empty).map(({ done }) => done));
        callAll();
        const away = `${forbidden}:${tcp}`;
        for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'modulepreload']) {
          attach('link', { rel, href: `http://${away}/`, as: 'script' });
        }
        navigator.sendBeacon(`http://${away}/`, 'x');
        const worker = new Worker(
          URL.createObjectURL(
            new Blob([
              `fetch('http://${away}/').catch(() => {}).then(() => postMessage(typeof RTCPeerConnection))`,
            ]),
          ),
        );
        const fromWorker = new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        });
        const Transport = (
          window as unknown as { WebTransport?: new (url: string) => { ready: Promise<void> } }
        ).WebTransport;
        await Promise.allSettled([
          ...peers,
          fetch(`http://${away}/`),
          fetch(`http://0x7f.2:${tcp}/`),
          fetch('/away', { mode: 'no-cors' }),
          settled(new WebSocket(`ws://${away}/`)),
          attach('img', { src: `http://${away}/` }).done,
          attach('iframe', { src: `http://${away}/` }).done,
          Transport === undefined ? null : new Transport(`https://${forbidden}:${udp}/`).ready,
        ]);
        return {
          peers: peers.length,
          popups: popups.length,
          transport: Transport !== undefined,
          fromWorker: await fromWorker,
        };
      },
      { forbidden, udp, tcp },
    );
    expect(tried).toEqual({ peers: 0, popups: 2, transport: true, fromWorker: 'undefined' });
    await page.goto(`http://localhost:${port}/away`).catch(() => {});
    expect(seen).toEqual([]);
  } finally {
    await browser.close();
    datagrams.close();
    canary.close();
    server.closeAllConnections();
    server.close();
  }
});
