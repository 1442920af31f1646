import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readProcessStat, tickUs } from '../process/process-stat.ts';
import { type LabInTest, startLabServer } from '../testing/lab-in-test.ts';
import { endPrograms } from '../testing/program-in-test.ts';
import { timeHealth } from '../testing/time-health.ts';

/** Many who open the page of a running measurement at once must not keep the server from answering others. */

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-viewers-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

const viewers = 1000;
/** Each address has a share of the rate limit of its own. */
const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;

/** Opens all at once; resolves when each has got the beginning of its answer. */
function openAll(url: string): Promise<IncomingMessage[]> {
  return Promise.all(
    Array.from(
      { length: viewers },
      (_, index) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const request = get(url, { agent: false, localAddress: addressOf(index) }, (response) => {
            response.once('data', () => resolve(response));
          });
          request.once('error', reject);
        }),
    ),
  );
}

const cpuMs = ({ program }: LabInTest) => ((readProcessStat(program.pid)?.cpuTicks ?? 0) * tickUs) / 1000;

/** CPU of the server for each of those who ask at once, without what it does anyway; and the longest that somebody else waits. */
async function costOfEach(lab: LabInTest, path: string) {
  const idleSince = cpuMs(lab);
  await pause(2000);
  const idlePerMs = (cpuMs(lab) - idleSince) / 2000;
  const since = performance.now();
  const before = cpuMs(lab);
  const { result: responses, longestMs } = await timeHealth(lab.url, () => openAll(lab.url + path));
  const usedMs = cpuMs(lab) - before - idlePerMs * (performance.now() - since);
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  for (const response of responses) response.destroy();
  return { eachMs: usedMs / viewers, longestMs };
}

test('1,000 viewers at once cost little, and others are answered meanwhile', async () => {
  const lab = await startLabServer({ TLS_TOLL_DATA: directory });
  const { body } = await lab.create(100_000);
  await lab.watch(body.id).until(({ type }) => type === 'cells');
  // What the same number of the plainest requests costs: a slow machine is slow at both.
  await costOfEach(lab, '/api/v1/health');
  const plain = await costOfEach(lab, '/api/v1/health');
  const watching = await costOfEach(lab, `/api/v1/lab/${body.id}/events`);
  expect(watching.eachMs).toBeLessThan(Math.max(0.5, 2 * plain.eachMs));
  expect(watching.longestMs).toBeLessThan(Math.max(100, 2 * plain.longestMs));
});
