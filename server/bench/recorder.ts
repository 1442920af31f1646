import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { apiPrefix } from '../../shared/api/prefix.ts';
import {
  createdRecordingSchema,
  type RecorderInput,
  recorderProtocol,
} from '../../shared/scenario/recorder.ts';
import { quantile } from '../method/statistics/quantile.ts';
import type { Figure } from './figure.ts';
import { startMeasuredServer } from './test-server.ts';

const inputs = 60;
const restMs = 60;
const movesPerS = 100;

/** How long after a key or a click the recorder's page has the picture of what it did, over the WebSocket on loopback. */
export async function measureRecorder(): Promise<Figure[]> {
  const site = await startSite();
  const server = await startMeasuredServer();
  try {
    const viewer = await openViewer(server.url, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const key = await timesOf(() => viewer.untilPicture(pressKey(viewer.send)));
    const click = await timesOf(() => viewer.untilPicture(clickAnywhere(viewer.send)));
    const stop = sweep(viewer.send);
    const swept = await timesOf(() => viewer.untilPicture(clickAnywhere(viewer.send)));
    stop();
    viewer.close();
    return [
      figureOf('key to picture, median', key, 50),
      figureOf('click to picture, median', click, 50),
      figureOf(`click to picture during ${movesPerS} mouse moves a second, median`, swept, 50),
    ];
  } finally {
    await server.stop();
    site.close();
    site.closeAllConnections();
  }
}

/** Each press of a key or a button changes the whole page, and nothing else does. */
const page = `<!doctype html><title>Light</title><style>html,body{height:100%;margin:0}</style><body><p>Some text<script>
let count = 0;
const change = () => { document.body.style.background = ['#fff', '#eef', '#fee', '#efe'][++count % 4]; };
addEventListener('keydown', change);
addEventListener('mousedown', change);
</script>`;

async function startSite(): Promise<Server> {
  const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(page));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return site;
}

type Send = (input: RecorderInput) => void;

async function openViewer(origin: string, url: string) {
  const response = await fetch(`${origin}${apiPrefix}/recordings`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  const { sid, ticket } = createdRecordingSchema.parse(await response.json());
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}${apiPrefix}/recordings/${sid}`,
    [recorderProtocol, ticket],
    { origin },
  );
  let pictured = (): void => {};
  const send: Send = (input) => socket.send(JSON.stringify(input));
  socket.on('message', (_content, isBinary) => {
    if (!isBinary) return;
    pictured();
    send({ type: 'drawn' });
  });
  await once(socket, 'open');
  // Until the page is there and quiet.
  await pause(2_000);
  return {
    send,
    /** Milliseconds. */
    async untilPicture(act: () => void): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>();
      pictured = resolve;
      const startedAt = performance.now();
      act();
      await promise;
      return performance.now() - startedAt;
    },
    close: () => socket.close(),
  };
}

async function timesOf(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < inputs; count++) {
    times.push(await measure());
    await pause(restMs);
  }
  return times;
}

const free = { alt: false, control: false, meta: false, shift: false };

function pressKey(send: Send): () => void {
  const key = { ...free, key: 'a', code: 'KeyA', keyCode: 65, repeat: false };
  return () => {
    send({ type: 'key_down', ...key });
    send({ type: 'key_up', ...key });
  };
}

function clickAnywhere(send: Send): () => void {
  const click = { ...free, x: 300, y: 300, button: 'left', clicks: 1 } as const;
  return () => {
    send({ type: 'press', ...click });
    send({ type: 'release', ...click });
  };
}

function sweep(send: Send): () => void {
  let x = 0;
  const timer = setInterval(() => {
    x = (x + 7) % 1280;
    send({ type: 'move', ...free, x, y: 400, pressed: false });
  }, 1000 / movesPerS);
  return () => clearInterval(timer);
}

function figureOf(figure: string, ms: number[], atMost: number): Figure {
  return {
    bench: 'recorder',
    figure,
    value: quantile(ms, 0.5),
    unit: 'ms',
    range: [quantile(ms, 0.05), quantile(ms, 0.95)],
    atMost,
  };
}
