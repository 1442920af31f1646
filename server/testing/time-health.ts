import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readProcessStat, tickUs } from '../base/process/proc.ts';

/**
 * For tests: asks a server again and again whether it is well, while something else is asked of it, in a thread of its
 * own. What counts is the most CPU that the server spent between question and answer: on a machine with nothing else to
 * do that is how long the answer takes, and on a busy one it is the same.
 */
export async function timeHealth<Result>(
  server: { url: string; pid: number },
  during: () => Promise<Result>,
): Promise<{ result: Result; longestMs: number }> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: server });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: longestMs, resolve: end } = Promise.withResolvers<number>();
  worker.on('message', (message: 'begun' | number) => (message === 'begun' ? begin() : end(message)));
  await begun;
  const result = await during();
  worker.postMessage('end');
  return { result, longestMs: await longestMs };
}

export function cpuMsOf(pid: number): number {
  return ((readProcessStat(pid)?.ownTicks ?? 0) * tickUs) / 1000;
}

if (!isMainThread && parentPort !== null) await askUntilTold(workerData, parentPort);

async function askUntilTold(
  { url, pid }: { url: string; pid: number },
  test: NonNullable<typeof parentPort>,
): Promise<void> {
  let asking = true;
  test.once('message', () => {
    asking = false;
  });
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.3' });
  await askHealth(url, agent);
  test.postMessage('begun');
  let longestMs = 0;
  while (asking) {
    const before = cpuMsOf(pid);
    await askHealth(url, agent);
    longestMs = Math.max(longestMs, cpuMsOf(pid) - before);
    await pause(10);
  }
  agent.destroy();
  test.postMessage(longestMs);
}

function askHealth(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/health`, { agent }, (response) => {
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}
