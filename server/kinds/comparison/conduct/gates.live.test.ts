/** Protects each thing that spoils metrics of a block, provoked: the block must say why. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { byArm, fromSides, namesOf } from '../../../../shared/base/arms.ts';
import { defaultTlsProfile } from '../../../../shared/base/tls-profile.ts';
import { type Arm, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import type { Slot } from '../../../../shared/kinds/comparison/slot.ts';
import { type ScenarioInput, scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { sampleAtLoad } from '../../../../shared/testing/sample-at-load.ts';
import { type Generator, startGenerator } from '../../../drive/load/start-generator.ts';
import { openSampler } from '../../../targets/sampling/process-sampler.ts';
import { localReadings } from '../../../targets/sampling/readings.ts';
import { analyse } from '../analysis.ts';
import { judgeBlock } from '../drop-reasons.ts';
import { planFor } from '../run-plan.ts';
import type { Instruments } from './block-edges.ts';
import { type BlockPlace, measureOpen } from './block-under-way.ts';
import { measureAtLoad } from './launch-under-way.ts';

const arms = namesOf(twoSidesAndTwin);

const text = JSON.stringify({ items: Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'thing' })) });
let onRequest = () => {};
const server = createServer((request, response) => {
  onRequest();
  response.end(request.url === '/json' ? text : 'ok');
});
let generator: Generator;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  generator = await startGenerator();
});
afterEach(() => {
  onRequest = () => {};
});
afterAll(async () => {
  await generator.stop();
  server.closeAllConnections();
  server.close();
});

const plan: Plan = { ...planFor(runRequestSchema.parse({}), 1), ratePerS: 200 };
const openMs = 300;
const light: ScenarioInput = { name: 'light', steps: [{ name: 'page', method: 'GET', path: '/' }] };
/** Reading the answer costs the generator far more than writing it costs the server. */
const heavy: ScenarioInput = {
  name: 'heavy',
  steps: [
    {
      name: 'list',
      method: 'GET',
      path: '/json',
      checks: [{ type: 'json_path', path: '$.items[19999].id', equals: 19_999 }],
    },
  ],
};

const nowhere = byArm(arms, () => null);

async function measure(
  scenario: ScenarioInput,
  kind: 'steady' | 'maximum',
  {
    beforeWindow = () => {},
    ratePerS = plan.ratePerS,
  }: { beforeWindow?: () => void; ratePerS?: number | null } = {},
): Promise<Block> {
  const { port } = server.address() as AddressInfo;
  await generator.configure({
    listeners: arms.map((arm) => ({
      arm,
      transport: 'http' as const,
      hostname: '127.0.0.1',
      address: '127.0.0.1',
      port,
      ca: null,
      pid: null,
    })),
    scenario: scenarioSchema.parse(scenario),
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    connections: 8,
    requestTimeoutMs: 5000,
  });
  const instruments: Instruments = {
    arms: twoSidesAndTwin,
    generator,
    readings: localReadings(arms, nowhere, nowhere),
    turnTransactions: 1,
    cores: null,
    counters: null,
    roots: nowhere,
    beforeRound: async () => beforeWindow(),
    readSocketLimits: null,
    readHost: () => null,
    memoryBytes: new Map(),
    connectionsOpened: new Map(),
    runStartedAtMs: performance.now(),
  };
  const { signal } = new AbortController();
  const place: BlockPlace<Arm> = {
    ...{ index: 0, launch: 0, epoch: 0, seed: 1 },
    ...{ transports: fromSides(twoSidesAndTwin, ['http', 'http']), labels },
    runStartedAtMs: performance.now(),
  };
  const planned = { ...plan, ratePerS };
  const load = { ...sampleAtLoad, users: 8, burstMs: 15, cores: null };
  if (kind === 'steady') return measureOpen(place, planned, openMs, instruments, signal);
  const block = await measureAtLoad(place, planned, load, instruments, signal);
  if (block === null) throw new Error('nothing asks whether the load fits');
  return block;
}

const labels = { baseline: 'A', comparison: 'B', twin: 'N' };

function codesOf(block: Block): string[] {
  return block.reasons.map(({ code }) => code);
}

/** Does it once, at the nth request of the slot. */
function inSlot(number: number, request: number, act: () => void): () => void {
  let slot = 0;
  return () => {
    let seen = 0;
    slot += 1;
    onRequest = slot === number ? () => ++seen === request && act() : () => {};
  };
}

test('a generator that was held up sent late, and the block says so', async () => {
  const holdUp = () => {
    const [pid] = generator.pids;
    if (pid === undefined) throw new Error('the generator has no process');
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 120);
  };
  const block = await measure(light, 'steady', { beforeWindow: inSlot(2, 10, holdUp) });
  expect(codesOf(block)).toContain('late');
  expect(block.reasons.find(({ code }) => code === 'late')?.message).toMatch(/^[ABN]: .* late/);
  expect(block.slots[1]?.load.latenessUs.p90).toBeGreaterThan(50_000);
});

/** The slot as if no other program had wanted the generator's core. */
function alone(slot: Slot): Slot {
  const { generatorBusiestUs, elapsedUs } = slot.load;
  return { ...slot, load: { ...slot.load, elapsedUs: Math.min(elapsedUs, generatorBusiestUs / 0.96) } };
}

test('a generator without a moment to spare is saturated at the steady point', async () => {
  const sampler = openSampler(generator.pids[0] ?? 0);
  const before = sampler.read();
  const { slots } = await measure(heavy, 'steady', { ratePerS: 1000 });
  const spentUs = sampler.read().cpuUs - before.cpuUs;
  const busyUs = slots.reduce((sum, { load }) => sum + load.generatorBusiestUs, 0);
  expect(busyUs / spentUs, 'the generator’s own count is the kernel’s').toBeGreaterThan(0.7);
  expect(busyUs / spentUs).toBeLessThan(1.05);
  const reasons = judgeBlock('steady', slots.map(alone), { plan, labels });
  expect(reasons.map(({ code }) => code)).toContain('generator_saturated');
});

test('at the maximum point it refuses the throughput, not the block', async () => {
  let block = await measure(heavy, 'maximum');
  // Other programs may keep a burst of 100 ms from finishing anything.
  while (block.slots.some(({ load }) => load.succeeded === 0)) block = await measure(heavy, 'maximum');
  expect(codesOf(block)).not.toContain('generator_saturated');
  const slots = block.slots.map(alone);
  const blocks = Array.from({ length: 4 }, (_, index) => ({
    ...block,
    slots,
    index,
    launch: index,
    reasons: [],
  }));
  const { metrics } = analyse(blocks, { finished: true, ownTwin: true, plan });
  expect(metrics.find(({ id }) => id === 'throughput')).toMatchObject({
    outcome: 'refused',
    reasons: [expect.stringContaining('The load generator was the limit')],
  });
});

test('a server that stalls at the end of a slot lets it overrun', async () => {
  const stall = () => {
    const until = performance.now() + 300;
    while (performance.now() < until);
  };
  const block = await measure(light, 'steady', { beforeWindow: inSlot(3, 45, stall) });
  expect(codesOf(block)).toContain('overrun');
});
