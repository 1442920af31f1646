import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioSchema } from '../../shared/scenario.ts';
import { defaultTlsProfile } from '../../shared/tls-profile.ts';
import { arms } from '../../shared/transport.ts';
import { startK6Generator } from '../load/k6/start-k6-generator.ts';
import type { Configuration } from '../load/messages.ts';
import { pinToCores, readAllowedCores } from '../process/pin-to-cores.ts';
import { quantile } from '../statistics/quantile.ts';
import { openAuthority } from '../target/certificate-authority.ts';
import type { Figure } from './figure.ts';
import { isInstalled, startNginx } from './nginx.ts';

const rounds = 8;
const bytes = 1024;
const slot = { durationMs: 3000, discardMs: 500, ratePerS: null };

/**
 * What a second execution segment of k6 adds where the first one is the limit: each segment has a core of its own, and the target,
 * which needs a tenth of their CPU, is on core 0. With two cores the second segment shares that one with the target.
 */
export async function measureSegments(): Promise<Figure[]> {
  for (const program of ['k6', 'nginx']) {
    if (!isInstalled(program)) throw new Error(`k6 needs the program ${program}`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-segments-'));
  const nginx = await startNginx(await openAuthority(directory), [bytes]);
  const configuration: Configuration = {
    listeners: arms.map((arm) => ({
      ...{ arm, transport: 'http' as const, port: nginx.ports.http, ca: null, pid: null },
      ...{ hostname: '127.0.0.1', address: '127.0.0.1' },
    })),
    scenario: scenarioSchema.parse({
      name: 'File',
      steps: [{ name: 'File', method: 'GET', path: `/${bytes}` }],
    }),
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    ...{ connections: 16, requestTimeoutMs: 5000 },
  };
  const perS: Record<1 | 2, number[]> = { 1: [], 2: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const);
      for (const segments of order) perS[segments].push(await measureLoad(segments, configuration));
    }
  } finally {
    await nginx.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  const ratios = perS[1].map((one, round) => one / (perS[2][round] ?? Number.NaN));
  return [
    figure('one segment', perS[1], 'requests/s', null),
    figure('two segments', perS[2], 'requests/s', null),
    // 1.8 times as much.
    figure('one against two', ratios, '×', 1 / 1.8),
  ];
}

/** In requests per second, as fast as they can. */
async function measureLoad(segments: number, configuration: Configuration): Promise<number> {
  const generator = await startK6Generator(segments);
  try {
    await generator.configure(configuration);
    // The last core first, as the target is on the first.
    const cores = readAllowedCores().toReversed();
    for (const [index, pid] of generator.pids.entries()) {
      const core = cores[index];
      if (core === undefined || !(await pinToCores([pid], [core]))) {
        throw new Error(`segment ${index + 1} could not have a core of its own`);
      }
    }
    await generator.prepare('baseline');
    await generator.burst('baseline', { ...slot, durationMs: 1000 });
    const { transactionsInWindow, windowUs } = await generator.burst('baseline', slot);
    return transactionsInWindow / (windowUs / 1e6);
  } finally {
    await generator.stop();
  }
}

function figure(name: string, values: readonly number[], unit: string, atMost: number | null): Figure {
  const range: [number, number] = [Math.min(...values), Math.max(...values)];
  return { bench: 'k6', figure: name, value: quantile(values, 0.5), unit, range, atMost };
}
