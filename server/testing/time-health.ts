import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * For tests: how long a server takes to say that it is well, again and again while something else is asked of it. Asked
 * in a thread of its own, so that what the test does meanwhile is not in the times.
 */
export async function timeHealth<Result>(
  url: string,
  during: () => Promise<Result>,
): Promise<{ result: Result; longestMs: number }> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: url });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: longestMs, resolve: end } = Promise.withResolvers<number>();
  worker.on('message', (message: 'begun' | number) => (message === 'begun' ? begin() : end(message)));
  await begun;
  const result = await during();
  worker.postMessage('end');
  return { result, longestMs: await longestMs };
}

if (!isMainThread && typeof workerData === 'string') {
  let longestMs = 0;
  let asking = true;
  parentPort?.once('message', () => {
    asking = false;
  });
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.3' });
  await askHealth(agent);
  parentPort?.postMessage('begun');
  while (asking) {
    longestMs = Math.max(longestMs, await askHealth(agent));
    await pause(10);
  }
  agent.destroy();
  parentPort?.postMessage(longestMs);
}

function askHealth(agent: Agent): Promise<number> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    get(`${workerData}/api/v1/health`, { agent }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - since));
    }).once('error', reject);
  });
}
