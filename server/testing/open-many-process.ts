import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../shared/scenario/scenario.ts';
import { startGenerator } from '../drive/load/start-generator.ts';

/**
 * For tests, in a network of its own: opens connections to a server on its loopback until there were as many as its argument says, and
 * prints what came of that as JSON. Each is new because that is planned or, where it is told so, because the server closes them.
 */

const wanted = Number(process.argv[2]);
const serverCloses = process.argv[3] === 'server-closes';
const scenario = scenarioSchema.parse({ name: 'page', steps: [{ name: 'page', method: 'GET', path: '/' }] });

if (isMainThread) await openMany();
else await serve();

async function serve(): Promise<void> {
  const { parentPort } = await import('node:worker_threads');
  const from = new Set<string>();
  const server = createServer((_, response) =>
    response.setHeader('connection', serverCloses ? 'close' : 'keep-alive').end('ok'),
  );
  server.on('connection', ({ remoteAddress }) => from.add(remoteAddress ?? ''));
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 });
  await once(server, 'listening');
  parentPort?.postMessage((server.address() as AddressInfo).port);
  parentPort?.on('message', () => parentPort.postMessage(from.size));
}

async function openMany(): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
  const [port] = (await once(worker, 'message')) as [number];
  const generator = await startGenerator();
  const listener = { hostname: '127.0.0.1', address: '127.0.0.1', port, ca: null, pid: null };
  await generator.configure({
    listeners: [{ arm: 'baseline', transport: 'http', ...listener }],
    ...{ scenario, tls: defaultTlsProfile, connections: 16 },
    connectionPolicy: serverCloses ? 'keep-alive' : 'connection-per-request',
    requestTimeoutMs: 5000,
  });
  let opened = 0;
  const errors: object[] = [];
  while (opened < wanted && errors.length === 0) {
    const slot = await generator.run('baseline', { durationMs: 1000, discardMs: 0, ratePerS: null });
    opened += slot.connectionsOpened;
    errors.push(...slot.errors);
  }
  const timeWait = Number(/^TCP:.* tw (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1]);
  worker.postMessage('count');
  const [sources] = (await once(worker, 'message')) as [number];
  process.stdout.write(JSON.stringify({ opened, timeWait, sources, errors }));
  await generator.stop();
  await worker.terminate();
}
