/** Protects finding the process that listens on a port: the right one, or none. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findListenerPid, findListenerPids } from './listeners.ts';

let workload: ChildProcess;
beforeAll(() => {
  workload = fork(new URL('../../testing/workload.ts', import.meta.url));
});
afterAll(async () => {
  workload.disconnect();
  await once(workload, 'exit');
});

async function listenOn(host: string): Promise<number> {
  workload.send({ kind: 'listen', host });
  const [report] = await once(workload, 'message');
  return report.port;
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.2', '127.0.0.2'],
  ['0.0.0.0', '127.0.0.1'],
  ['::1', '::1'],
  ['::', '::1'],
  ['::', '127.0.0.1'],
])('the process that listens on %s is found by %s', async (host, address) => {
  expect(findListenerPid(address, await listenOn(host))).toBe(workload.pid);
});

test('a listener on another loopback address is not taken for ours', async () => {
  // Another test may listen on 127.0.0.1 at the same port.
  expect(findListenerPid('127.0.0.1', await listenOn('127.0.0.2'))).not.toBe(workload.pid);
});

test('several processes that listen on one port are all found, the oldest first', async () => {
  const script = (port: number) =>
    `require('node:net').createServer().listen({ host: '127.0.0.1', port: ${port}, reusePort: true }, function () { console.log(this.address().port) })`;
  const children: ChildProcess[] = [];
  let port = 0;
  for (let place = 0; place < 2; place++) {
    const child = spawn(process.execPath, ['-e', script(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = await once(child.stdout, 'data');
    port = Number(String(line));
  }
  expect(findListenerPids('127.0.0.1', port)).toEqual(children.map(({ pid }) => pid));
  for (const child of children) child.kill('SIGKILL');
});

test('a closed port has no process', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(findListenerPid('127.0.0.1', port)).toBe(process.pid);
  server.close();
  await once(server, 'close');
  expect(findListenerPid('127.0.0.1', port)).toBeNull();
});

test('a parent that holds the same socket as its child is the root', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const worker = fork(new URL('../../testing/workload.ts', import.meta.url));
  await new Promise((sent) => worker.send({ kind: 'report' }, server, sent));
  await once(worker, 'message');
  expect(findListenerPid('127.0.0.1', port)).toBe(process.pid);
  server.close();
  await once(server, 'close');
  expect(findListenerPid('127.0.0.1', port)).toBe(worker.pid);
  worker.disconnect();
  await once(worker, 'exit');
});
