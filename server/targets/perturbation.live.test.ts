/** Protects `bench inject`: the storefront is slowed by what was asked for, on one arm alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { namesOf } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import { ask } from '../testing/ask-in-test.ts';
import { noPerturbation as none } from '../testing/no-perturbation.ts';
import type { Perturbation } from './storefront/perturbation.ts';
import {
  type PerturbationPlan,
  type StorefrontTarget,
  startStorefront,
} from './storefront/start-storefront.ts';

const arms = namesOf(twoSidesAndTwin);
const transports = { baseline: 'http', comparison: 'http', twin: 'http' } as const;
/** The cheapest page, so that what is added stands out. */
const page = { path: '/favicon.ico' };

let directory: string;
let shop: StorefrontTarget<Arm>;
/** Perturbation of the shop, from its next window on. */
let plan: PerturbationPlan = () => null;
const moments: Parameters<PerturbationPlan>[0][] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-toll-perturbation-'));
  const perturbation: PerturbationPlan = (moment) => {
    moments.push(moment);
    return plan(moment);
  };
  shop = await startStorefront({ directory, transports, databaseUrl: null, perturbation });
});
afterAll(async () => {
  await shop.stop();
  await rm(directory, { recursive: true });
});

async function putOnComparison(perturbation: Perturbation): Promise<void> {
  plan = ({ arm }) => (arm === 'comparison' ? perturbation : null);
  await shop.beforeWindow?.();
}

/** CPU a request, after as many for warming up. */
async function cpuUs(arm: Arm, requests: number): Promise<number> {
  const { counters, listeners } = shop;
  for (let i = 0; i < requests; i++) await ask(listeners[arm], page);
  const before = await counters(arm);
  for (let i = 0; i < requests; i++) await ask(listeners[arm], page);
  const after = await counters(arm);
  return (after.cpuUs - before.cpuUs) / (after.requests - before.requests);
}

test('The plan is asked for every arm before each window, with its number and time, and window 0 is what comes before', async () => {
  expect(moments).toHaveLength(arms.length);
  const { beforeWindow, listeners } = shop;
  plan = ({ window, arm }) => (window === 2 && arm === 'twin' ? { ...none, bodyBytes: 10 } : null);
  const bodyBytes = async (arm: Arm) => (await ask(listeners[arm], page)).body.length;
  const usual = await bodyBytes('twin');
  await beforeWindow?.();
  await beforeWindow?.();
  expect(await bodyBytes('twin')).toBe(usual + 10);
  expect(await bodyBytes('baseline')).toBe(usual);
  await beforeWindow?.();
  expect(await bodyBytes('twin')).toBe(usual);

  expect(moments.map(({ window }) => window)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  expect(moments.slice(0, 3).map(({ arm }) => arm)).toEqual(arms);
  const times = moments.map(({ elapsedMs }) => elapsedMs);
  expect(times.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(times[9]).toBeGreaterThan(times[8] ?? Number.NaN);
});

test('5 ms of CPU a request are burned by the arm that they are put on, and by it alone', async () => {
  await putOnComparison({ ...none, cpuUs: 5000 });
  const added = (await cpuUs('comparison', 40)) - (await cpuUs('baseline', 40));
  // It counts CPU time, so giving way in the middle of it burns no less.
  expect(added).toBeGreaterThan(4000);
  expect(added).toBeLessThan(6500);
});

test('20,000 objects a request cost the arm that holds them, and it alone', async () => {
  await putOnComparison({ ...none, garbageObjects: 20_000 });
  const added = (await cpuUs('comparison', 300)) - (await cpuUs('baseline', 300));
  expect(added).toBeGreaterThan(200);
});

test('20 ms of sleep come on top of each answer, never less, and most of them cost no CPU', async () => {
  await putOnComparison({ ...none, sleepMs: 20 });
  const before = await shop.counters('comparison');
  const tookMs: number[] = [];
  for (let i = 0; i < 40; i++) {
    const sentAt = performance.now();
    await ask(shop.listeners.comparison, page);
    tookMs.push(performance.now() - sentAt);
  }
  const after = await shop.counters('comparison');
  expect(Math.min(...tookMs)).toBeGreaterThan(20);
  expect(Math.min(...tookMs)).toBeLessThan(40);
  expect((after.cpuUs - before.cpuUs) / 40).toBeLessThan(15_000);
});

test('1,024 bytes of body are there to the byte, on a page and on a file, and none where a body is not sent', async () => {
  await putOnComparison({ ...none, bodyBytes: 1024 });
  const { listeners } = shop;
  for (const question of [{ path: '/' }, { path: '/favicon.ico' }, { path: '/nothing-here' }]) {
    const [plain, longer] = [
      await ask(listeners.baseline, question),
      await ask(listeners.comparison, question),
    ];
    expect(longer.status).toBe(plain.status);
    expect(longer.body.length).toBe(plain.body.length + 1024);
    expect(longer.headers['content-length']).toBe(`${plain.body.length + 1024}`);
    expect(longer.body.subarray(0, plain.body.length).equals(plain.body)).toBe(true);
  }
  const { body } = await ask(listeners.comparison, { method: 'HEAD', path: '/' });
  expect(body.length).toBe(0);
});

test('A storefront that nobody perturbs has no hook', async () => {
  const unperturbed = await startStorefront({
    directory,
    transports: { baseline: 'http' },
    databaseUrl: null,
  });
  expect(unperturbed.beforeWindow).toBeNull();
  await unperturbed.stop();
});
