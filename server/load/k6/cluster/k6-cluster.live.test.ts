/** Protects k6 in Kubernetes: pods measure as k6 here does and keep a host's limits, and nothing of them is left, however it ends. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { capsSchema } from '../../../../shared/permitted-target.ts';
import { arms } from '../../../../shared/transport.ts';
import { type StorefrontTarget, startStorefront } from '../../../target/start-storefront.ts';
import { configurationFor } from '../../../testing/configuration-in-test.ts';
import { freePort } from '../../../testing/free-port.ts';
import { type KubectlInTest, openKubectl } from '../../../testing/kubectl-in-test.ts';
import type { Configuration } from '../../messages.ts';
import type { Generator } from '../../start-generator.ts';
import { startK6InCluster } from './start-k6-in-cluster.ts';

const hasK6 = spawnSync('k6', ['version']).status === 0;
const data = mkdtempSync(join(tmpdir(), 'tls-toll-k6-cluster-test-'));
const manifest = join(data, 'k6-testrun.json');
const path = process.env.PATH;
const image = 'grafana/k6:1.8.1';
let storefront: StorefrontTarget;
let configuration: Configuration;
let kubectl: KubectlInTest | null = null;
let generator: Generator | null = null;

beforeAll(async () => {
  const transports = { baseline: 'http', comparison: 'https', twin: 'http' } as const;
  storefront = await startStorefront({ directory: data, transports, databaseUrl: null });
  configuration = configurationFor(storefront);
});
afterEach(async () => {
  await generator?.stop();
  generator = null;
  process.env.PATH = path;
  kubectl?.close();
  kubectl = null;
});
afterAll(async () => {
  await storefront.stop();
  rmSync(data, { recursive: true });
});

async function open(
  pods: number,
  { context, signal }: { context?: string | null; signal?: AbortSignal } = {},
) {
  const opened = openKubectl(context === undefined ? {} : { context });
  kubectl = opened;
  process.env.PATH = `${opened.bin}:${process.env.PATH}`;
  const cluster = { desk: { host: '127.0.0.1', port: await freePort() }, image };
  const started = await startK6InCluster(pods, { cluster, directory: data, signal });
  generator = started;
  return { kubectl: opened, generator: started };
}

/** Of the objects, whatever is done to them at the end. */
const verbsOf = ({ calls }: KubectlInTest) => calls().map(([verb]) => verb);
const runs = (pid: number) => /^State:\s+[^Z]/m.test(statusOf(pid));
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

const lockstep = { durationMs: 300, users: 2, turnTransactions: 1, trees: null, seed: 5, firstRow: 0 };

describe.runIf(hasK6)('with k6 in the pods', () => {
  test('two pods run pairs that both ends count alike, and are deleted with what belongs to them', async () => {
    const { kubectl, generator } = await open(2);
    await generator.configure(configuration);
    expect(generator.engine).toEqual({
      name: 'k6-operator',
      version: expect.stringMatching(/^[12]\.\d+\.\d+$/),
    });
    const [configMap, secret] = kubectl.applied() ?? [];
    for (const owned of [configMap, secret]) {
      expect(owned).toMatchObject({ metadata: { ownerReferences: [{ uid: 'uid-TestRun' }] } });
    }
    const before = [];
    for (const arm of arms) {
      const prepared = await generator.prepare(arm);
      expect(prepared).toMatchObject({ errors: [], connectionsOpened: 4 });
      await generator.clear(arm);
      before.push(await storefront.counters(arm));
    }
    const window = await generator.window(lockstep);
    expect(window.groups).toBeGreaterThanOrEqual(lockstep.users);
    expect(window.latenciesUs).toHaveLength(window.groups * 3);
    for (const [index, arm] of arms.entries()) {
      const load = await generator.collect(arm);
      const after = await storefront.counters(arm);
      expect(load.errors).toEqual([]);
      expect(load.requests).toBe(after.requests - (before[index]?.requests ?? 0));
    }
    const pids = kubectl.pids();
    expect(pids).toHaveLength(2);
    await generator.stop();
    expect(kubectl.calls().at(-1)).toEqual(
      expect.arrayContaining([
        'delete',
        '--ignore-not-found',
        expect.stringMatching(/^testruns\.k6\.io\/tls-toll-/),
      ]),
    );
    await vi.waitUntil(() => !pids.some(runs), { timeout: 30_000 });
    expect(existsSync(manifest)).toBe(false);
  });

  test('pods share the rate of another host between them, and end at its bytes', async () => {
    const caps = capsSchema.parse({ requestsPerS: 40, bytes: 6_000_000 });
    const permit = { host: 'staging.example.com', caps };
    const { generator } = await open(2);
    await generator.configure({
      ...configuration,
      listeners: configuration.listeners.map((listener) => ({ ...listener, permit })),
    });
    const before = await Promise.all(arms.map((arm) => storefront.counters(arm)));
    const { elapsedUs } = await generator.window({ ...lockstep, durationMs: 1000 });
    const after = await Promise.all(arms.map((arm) => storefront.counters(arm)));
    const sent = arms.reduce(
      (sum, _, index) => sum + (after[index]?.requests ?? 0) - (before[index]?.requests ?? 0),
      0,
    );
    expect(sent).toBeGreaterThan(0);
    // Each pod may have had one request in hand.
    expect(sent).toBeLessThanOrEqual((caps.requestsPerS * elapsedUs) / 1e6 + 2);
    const onAndOn = async () => {
      for (;;) await generator.window(lockstep);
    };
    await expect(onAndOn()).rejects.toMatchObject({
      problem: { code: 'limit_reached', detail: expect.stringContaining('staging.example.com (6 MB)') },
    });
  });

  test('a window of a run that is canceled ends at once, and so do its pods', async () => {
    const controller = new AbortController();
    const { kubectl, generator } = await open(1, { signal: controller.signal });
    await generator.configure(configuration);
    const canceled = expect(generator.window({ ...lockstep, durationMs: 60_000 })).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await canceled;
    await generator.stop();
    expect(verbsOf(kubectl).filter((verb) => verb === 'delete')).toHaveLength(1);
    await vi.waitUntil(() => !kubectl.pids().some(runs), { timeout: 30_000 });
  });
});

/** A program by the name of k6 that does this when it is run. */
function standIn(run: string): void {
  const file = join(data, 'k6');
  writeFileSync(file, `#!/bin/sh\n${run}\n`);
  chmodSync(file, 0o755);
  process.env.PATH = `${data}:${path}`;
}

test('a pod that ends is a problem with what it logged last, and everything is deleted', async () => {
  standIn('echo "level=error msg=boom"; exit 107');
  const { kubectl, generator } = await open(2);
  await expect(generator.configure(configuration)).rejects.toMatchObject({
    problem: {
      code: 'k6_failed',
      detail: expect.stringMatching(/its pod pod-1 ended: level=error msg=boom\.$/),
    },
  });
  expect(verbsOf(kubectl).at(-1)).toBe('delete');
});

test('a run that is canceled while its pods start deletes them', async () => {
  standIn('exec sleep 600');
  const controller = new AbortController();
  const { kubectl, generator } = await open(2, { signal: controller.signal });
  const canceled = expect(generator.configure(configuration)).rejects.toThrow('enough');
  await vi.waitUntil(() => verbsOf(kubectl).includes('get'), { timeout: 60_000 });
  controller.abort(new Error('enough'));
  await canceled;
  expect(verbsOf(kubectl).at(-1)).toBe('delete');
  await vi.waitUntil(() => !kubectl.pids().some(runs), { timeout: 30_000 });
});

test('without a context the manifest waits in a file for somebody who has one, and only k6 gets orders', async () => {
  const { kubectl, generator } = await open(1, { context: null });
  const configured = generator.configure(configuration).catch((error: unknown) => error);
  await vi.waitUntil(() => existsSync(manifest) && readFileSync(manifest, 'utf8').endsWith('}\n'), {
    timeout: 60_000,
  });
  const { items } = JSON.parse(readFileSync(manifest, 'utf8'));
  const { orders } = items[1].stringData;
  expect((await fetch(`${new URL(orders).origin}/guessed?user=a`)).status).toBe(404);
  void fetch(`${orders}?user=a`, { method: 'POST', headers: { 'user-agent': 'curl/8.17' } }).catch(() => {});
  expect(await configured).toMatchObject({
    problem: { code: 'k6_unusable', detail: '“curl/8.17” asked for orders, and is not k6.' },
  });
  expect(existsSync(manifest)).toBe(false);
  expect(verbsOf(kubectl)).toEqual(['config']);
});

test('without an address for its pods it is refused before anything starts', async () => {
  await expect(
    startK6InCluster(1, { cluster: null, directory: data, signal: undefined }),
  ).rejects.toMatchObject({
    problem: { code: 'k6_unreachable', advice: expect.stringContaining('TLS_TOLL_K6_DESK') },
  });
});
