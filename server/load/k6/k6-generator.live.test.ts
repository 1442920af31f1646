/** Protects k6 as a load generator: both ends count the same, its pairs are whole, and what goes wrong with it has a cause and leaves no process. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { arms } from '../../../shared/transport.ts';
import { type StorefrontTarget, startStorefront } from '../../target/start-storefront.ts';
import { searchScenario } from '../../target/storefront/search-scenario.ts';
import { configurationFor } from '../../testing/configuration-in-test.ts';
import type { Configuration } from '../messages.ts';
import type { Generator } from '../start-generator.ts';
import { startK6Generator } from './start-k6-generator.ts';

const hasK6 = spawnSync('k6', ['version']).status === 0;
const data = mkdtempSync(join(tmpdir(), 'tls-toll-k6-test-'));
const path = process.env.PATH;
let storefront: StorefrontTarget;
let configuration: Configuration;
let generator: Generator | null = null;

beforeAll(async () => {
  const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
  storefront = await startStorefront({ directory: data, transports, databaseUrl: null });
  configuration = configurationFor(storefront);
});
afterEach(async () => {
  process.env.PATH = path;
  await generator?.stop();
  generator = null;
});
afterAll(async () => {
  await storefront.stop();
  rmSync(data, { recursive: true });
});

const lockstep = { durationMs: 300, users: 2, turnTransactions: 1, trees: null, seed: 5, firstRow: 0 };

describe.runIf(hasK6)('with k6', () => {
  test('two segments run pairs that both ends count alike, and stop without a trace', {
    timeout: 120_000,
  }, async () => {
    generator = await startK6Generator(2);
    await generator.configure(configuration);
    const { pids } = generator;
    expect(pids).toHaveLength(2);
    const before = [];
    for (const arm of arms) {
      const prepared = await generator.prepare(arm);
      expect(prepared.errors).toEqual([]);
      expect(prepared.connectionsOpened).toBe(4);
      expect(prepared.handshakesFull).toBe(arm === 'comparison' ? 4 : 0);
      await generator.clear(arm);
      before.push(await storefront.counters(arm));
    }
    const window = await generator.window(lockstep);
    expect(window.groups).toBeGreaterThanOrEqual(lockstep.users);
    expect(window.latenciesUs).toHaveLength(window.groups * 3);
    expect(window.latenciesUs.every((us) => us > 0)).toBe(true);
    const burst = await generator.burst('comparison', { durationMs: 300, discardMs: 50, ratePerS: null });
    expect(burst.succeeded).toBe(burst.started);
    for (const [index, arm] of arms.entries()) {
      const load = await generator.collect(arm);
      const after = await storefront.counters(arm);
      expect(load.errors).toEqual([]);
      expect(load.requests).toBe(after.requests - (before[index]?.requests ?? 0));
      expect(load.handshakesFull).toBe(0);
      expect(load.started).toBe(window.arms[arm].transactions + (arm === 'comparison' ? burst.started : 0));
      expect(load.executionTimeUs).toBeGreaterThan(0);
    }
    expect((await generator.collect('comparison')).negotiated?.protocol).toBe('TLSv1.3');
    await generator.stop();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });

  test('a process that serves all arms has its CPU read between turns', { timeout: 120_000 }, async () => {
    generator = await startK6Generator(1);
    await generator.configure({ ...configuration, connections: 1 });
    const pid = storefront.listeners.baseline.pid ?? 0;
    const trees = { baseline: [pid], comparison: [pid], twin: [pid] };
    const window = await generator.window({ ...lockstep, trees, turnTransactions: 2 });
    expect(window.latenciesUs).toHaveLength(window.groups * 3);
    expect(window.arms.baseline.transactions).toBe(2 * window.groups);
    expect(window.arms.baseline.cpuUs).toBeGreaterThan(0);
  });

  test('connections close as the policy says, and a check that fails is counted with its cause', {
    timeout: 120_000,
  }, async () => {
    generator = await startK6Generator(1);
    const steps = searchScenario.steps.map((step) => ({ ...step, expectStatus: 418 }));
    await generator.configure({
      ...configuration,
      connections: 1,
      connectionPolicy: 'connection-per-request',
      scenario: { ...searchScenario, steps },
    });
    const { errors } = await generator.prepare('comparison');
    expect(errors[0]).toMatchObject({ outcome: 'unexpected_status', detail: 'answered 200 instead of 418' });
    await generator.configure({
      ...configuration,
      connections: 1,
      connectionPolicy: 'connection-per-request',
    });
    const prepared = await generator.prepare('comparison');
    expect(prepared.handshakesFull).toBe(searchScenario.steps.length);
  });

  test('k6 that is killed, and a run that is cancelled, end at once with the cause', {
    timeout: 120_000,
  }, async () => {
    const controller = new AbortController();
    generator = await startK6Generator(1, { signal: controller.signal });
    await generator.configure(configuration);
    const [pid = 0] = generator.pids;
    const killed = expect(generator.window({ ...lockstep, durationMs: 60_000 })).rejects.toMatchObject({
      problem: { code: 'k6_failed', detail: expect.stringContaining('SIGKILL') },
    });
    process.kill(pid, 'SIGKILL');
    await killed;
    await generator.configure(configuration);
    const [second = 0] = generator.pids;
    const fromMs = performance.now();
    const cancelled = expect(generator.window({ ...lockstep, durationMs: 60_000 })).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await cancelled;
    await generator.stop();
    expect(performance.now() - fromMs).toBeLessThan(1000);
    expect(() => process.kill(second, 0)).toThrow();
  });
});

/** A program by the name of k6 that does this when it is run. */
function standIn(run: string, version = 'k6 v1.8.1 (go1.26.8, linux/amd64)'): void {
  const file = join(data, 'k6');
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = version ]; then echo "${version}"; exit; fi\n${run}\n`);
  chmodSync(file, 0o755);
  process.env.PATH = `${data}:${path}`;
}

test('k6 that is missing, too old, or no k6 is refused before anything starts', async () => {
  standIn('');
  process.env.PATH = join(data, 'nothing');
  await expect(startK6Generator(1)).rejects.toThrow('There is no k6 on your PATH.');
  standIn('', 'k6 v0.57.0 (go1.23)');
  await expect(startK6Generator(1)).rejects.toThrow('version 0.57.0. TLS Toll needs k6 v1 or v2');
  standIn('', 'something else');
  await expect(startK6Generator(1)).rejects.toThrow('something else');
});

test.each([
  ['ends half-way', 'cat > /dev/null; echo half-way >&2; exit 7', /exit code 7\): half-way/],
  [
    'prints rubbish',
    'cat > /dev/null; echo "not a sample"; exec cat /dev/zero > /dev/null',
    /a line that is not one of its samples: “not a sample/,
  ],
])('k6 that %s is a problem that names the cause', async (_, run, detail) => {
  standIn(run);
  generator = await startK6Generator(1);
  await expect(generator.configure(configuration)).rejects.toMatchObject({
    problem: { code: 'k6_failed', detail: expect.stringMatching(detail) },
  });
});
