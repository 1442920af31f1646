/** Protects the server from many viewers at once: others are answered meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type LabInTest, startLabServer } from '../../testing/lab-in-test.ts';
import { endPrograms } from '../../testing/program-in-test.ts';
import { cpuMsOf, timeHealth } from '../../testing/time-health.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-viewers-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

const viewers = 1000;
/** Most connections that the kernel queues for Node to accept. */
const atOnce = 500;
/** Each address has a share of the rate limit of its own. */
const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;

/** Resolves when each has got the beginning of its answer. The server is held still until many wait for it. */
async function openAll(url: string, { program }: LabInTest): Promise<IncomingMessage[]> {
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  let connected = 0;
  const onConnect = () => {
    connected += 1;
    if (connected === atOnce) resolve();
  };
  program.kill('SIGSTOP');
  const opened = Array.from({ length: viewers }, (_, index) => open(url, addressOf(index), onConnect));
  await waiting;
  program.kill('SIGCONT');
  return await Promise.all(opened);
}

function open(url: string, localAddress: string, onConnect: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, localAddress }, (response) => {
      response.once('error', () => {}).once('data', () => resolve(response));
    });
    request.once('socket', (socket) => socket.once('connect', onConnect)).once('error', reject);
  });
}

/** CPU of the server for each of those who ask at once, without what it does anyway; and for how much somebody else waits. */
async function costOfEach(lab: LabInTest, path: string) {
  const { pid } = lab.program;
  const idleSince = cpuMsOf(pid);
  await pause(2000);
  const idlePerMs = (cpuMsOf(pid) - idleSince) / 2000;
  const since = performance.now();
  const before = cpuMsOf(pid);
  const { result, longestMs } = await timeHealth({ url: lab.url, pid }, () => openAll(lab.url + path, lab));
  const usedMs = cpuMsOf(pid) - before - idlePerMs * (performance.now() - since);
  expect(new Set(result.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  for (const response of result) response.destroy();
  return { eachMs: usedMs / viewers, longestMs };
}

test('1,000 viewers at once cost little, and others are answered meanwhile', async () => {
  const lab = await startLabServer({ TLS_TOLL_DATA: directory });
  const { body } = await lab.create(100_000);
  await lab.watch(body.id).until(({ type }) => type === 'cells');
  // Cost of the same number of the plainest requests: a slow machine is slow at both. The very first requests are slower still.
  await costOfEach(lab, '/api/v1/health');
  const plain = await costOfEach(lab, '/api/v1/health');
  const watching = await costOfEach(lab, `/api/v1/measurements/${body.id}/events`);
  expect(watching.eachMs).toBeLessThan(Math.max(0.5, 3 * plain.eachMs));
  expect(watching.longestMs).toBeLessThan(Math.max(200, 3 * plain.longestMs));
});
