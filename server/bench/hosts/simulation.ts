import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { pinToCores } from '../../base/process/pin-to-cores.ts';
import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import {
  type HostPool,
  type ServedHosts,
  serveGeneratorHosts,
} from '../../drive/load/hosts/generator-hosts.ts';
import { type HostedGenerator, takeGeneratorHosts } from '../../drive/load/hosts/take-generator-hosts.ts';
import { quantile } from '../../method/statistics/quantile.ts';
import { openOwnIdentity } from '../../targets/own-identity.ts';
import { untilAsync } from '../../testing/until-async.ts';
import type { Figure } from '../figure.ts';
import { simulatedQuestions } from './simulated-questions.ts';

const counts = [1, 16, 100, 1000];
/** A listener takes 200 hosts. */
const mostAtListener = 200;
const barriers = 200;
const collections = 5;
const idleMs = 4000;
const token = 'ab'.repeat(36);

/**
 * One conductor, as it is in the product, with hosts that answer at once. All of them are in one process on another core, so a barrier
 * takes at least the time in which that process answers for all.
 */
export async function simulateHosts(): Promise<Figure[]> {
  await pinToCores([process.pid], [0]);
  const figures: Figure[] = [];
  for (const count of counts) figures.push(...(await simulate(count)));
  return figures;
}

async function simulate(count: number): Promise<Figure[]> {
  process.stderr.write(`${count} simulated hosts …\n`);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-simulation-'));
  const before = process.memoryUsage.rss();
  const opened = new AsyncDisposableStack();
  try {
    const identity = await openOwnIdentity(join(directory, 'key.pem'), 'TLS Toll generators');
    const pools: ServedHosts[] = [];
    for (let place = 0; place < Math.ceil(count / mostAtListener); place++) {
      const options = { host: '127.0.0.1', port: 0, token, identity, version: '0.1.0', own: () => [] };
      pools.push(opened.adopt(await serveGeneratorHosts(options), (each) => each.close()));
    }
    const hosts = await startAskedProcess({
      ...{ script: new URL('./simulated-hosts.ts', import.meta.url), questions: simulatedQuestions },
      ...{ name: 'The simulated hosts', code: 'generator_failed', graceMs: 120_000 },
    });
    opened.defer(hosts.stop);
    await pinToCores([hosts.pid], [1]);
    const { fingerprint } = identity;
    const each = count / pools.length;
    await hosts.ask('join', { ports: pools.map(({ port }) => port), each, fingerprint, token });
    const pool = joinedPool(pools);
    await untilAsync(
      async () => pool.free().length,
      (free) => free === count,
    );
    const choice = { count, processes: 1, onWaiting: () => {}, signal: new AbortController().signal };
    const generator = await takeGeneratorHosts(pool, choice);
    return await measureConductor(generator, count, before);
  } finally {
    await opened.disposeAsync();
    rmSync(directory, { recursive: true });
  }
}

/** Several listeners as one. */
function joinedPool(pools: readonly ServedHosts[]): HostPool {
  const [first] = pools as [ServedHosts];
  return {
    free: () => pools.flatMap((each) => each.free()),
    changed: first.changed,
    nextFence: first.nextFence,
  };
}

async function measureConductor(
  generator: HostedGenerator,
  count: number,
  beforeBytes: number,
): Promise<Figure[]> {
  await generator.configure({
    listeners: [],
    scenario: scenarioSchema.parse({ name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' }] }),
    tls: defaultTlsProfile,
    ...{
      connectionPolicy: 'keep-alive',
      requestsPerConnection: 1,
      connections: count,
      requestTimeoutMs: 5000,
    },
  });
  const idle = await watched(() => pause(idleMs));
  const slot = { durationMs: 30, discardMs: 0, ratePerS: null };
  const bursts = await repeated(barriers, () => generator.burst('baseline', slot));
  const epochs = await repeated(collections, () => generator.collect('baseline'));
  const bytes = process.memoryUsage.rss() - beforeBytes;
  const figure = (name: string, value: number, unit: string, range: Figure['range'] = null): Figure => ({
    ...{ bench: 'hosts', figure: `${name}, ${count} ${count === 1 ? 'host' : 'hosts'}` },
    ...{ value, unit, range, atMost: null },
  });
  return [
    figure('barrier, median', quantile(bursts.ms, 0.5), 'ms'),
    figure('barrier, 99th percentile', quantile(bursts.ms, 0.99), 'ms'),
    figure('CPU of the conductor for a barrier', bursts.cpuMs / barriers, 'ms'),
    figure('core of the conductor that beats take', 100 * (idle.cpuMs / idle.wallMs), '%'),
    figure('CPU of the conductor for the histograms of an epoch', epochs.cpuMs / collections, 'ms'),
    figure('memory beyond the process without hosts', bytes / 1e6, 'MB'),
  ];
}

async function watched(work: () => Promise<unknown>): Promise<{ cpuMs: number; wallMs: number }> {
  const [fromMs, from] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(from);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - fromMs };
}

async function repeated(
  times: number,
  work: () => Promise<unknown>,
): Promise<{ ms: number[]; cpuMs: number }> {
  const ms: number[] = [];
  const { cpuMs } = await watched(async () => {
    for (let nth = 0; nth < times; nth++) ms.push((await watched(work)).wallMs);
  });
  return { ms, cpuMs };
}
