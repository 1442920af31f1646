/** Protects the next job from processes and connections of a job that was let go. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { letGo, ownSocket, runChild, startChild } from './children.ts';
import { listPids, readProc } from './proc.ts';

const commandLines = () => listPids().map((pid) => readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' '));
const never = new Promise<never>(() => {});

// At the same time, because work that never settles is given 5 s.
test.concurrent('processes that work has started, however deep inside, are dead before it is let go', async () => {
  const mark = `${6000 + (process.pid % 1000)}.25`;
  const isMarked = () => commandLines().some((line) => line?.includes(mark));
  const controller = new AbortController();
  const bystander = startChild('sleep', [`1${mark}`]);
  const work = letGo(async () => {
    await pause(1);
    // It ignores SIGTERM, and has a child in its group.
    startChild('sh', ['-c', `trap '' TERM; sleep ${mark} & wait; sleep ${mark}`], { detached: true });
    startChild('sleep', [mark]);
    runChild('sleep', [mark], { timeout: 60_000 }).catch(() => {});
    return never;
  }, controller.signal);
  work.catch(() => {});
  await expect.poll(isMarked).toBe(true);
  controller.abort(new Error('canceled'));
  const beforeMs = performance.now();
  await expect(work).rejects.toThrow('canceled');
  expect(performance.now() - beforeMs).toBeLessThan(6000);
  expect(commandLines().filter((line) => line?.includes(` ${mark}`))).toEqual([]);
  expect(bystander.exitCode).toBeNull();
  bystander.kill('SIGKILL');
  await once(bystander, 'exit');
});

test.concurrent('connections of work that is let go are destroyed, but not those of other work', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dial = () => ownSocket(connect({ port, host: '127.0.0.1' }));
  const bystander = dial();
  const controller = new AbortController();
  const opened = Promise.withResolvers<ReturnType<typeof dial>>();
  const work = letGo(async () => {
    await pause(1);
    opened.resolve(dial());
    return never;
  }, controller.signal);
  work.catch(() => {});
  const socket = await opened.promise;
  await once(socket, 'connect');
  controller.abort(new Error('canceled'));
  await expect(work).rejects.toThrow('canceled');
  expect([socket.destroyed, bystander.destroyed]).toEqual([true, false]);
  bystander.destroy();
  server.close();
});
