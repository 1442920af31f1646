/** Protects the result from each thing that spoils a block, provoked: the block is dropped, and says why. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../../shared/block.ts';
import type { OperatingPoint, Plan } from '../../../../shared/load-profile.ts';
import { runRequestSchema } from '../../../../shared/run.ts';
import { type ScenarioInput, scenarioSchema } from '../../../../shared/scenario.ts';
import type { Slot } from '../../../../shared/slot.ts';
import { defaultTlsProfile } from '../../../../shared/tls-profile.ts';
import { arms } from '../../../../shared/transport.ts';
import { type Generator, startGenerator } from '../../../load/start-generator.ts';
import type { HostReading } from '../../../sampling/host.ts';
import { openSampler } from '../../../sampling/process-sampler.ts';
import { analyse } from '../analyse/analyse.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { planFor } from '../plan/presets.ts';
import { measureBlock } from './measure-block.ts';
import type { Instruments } from './measure-slot.ts';

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
const shape = { durationMs: 300, discardMs: 30 };
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

type Circumstances = {
  beforeSlot?: () => void;
  readHost?: () => HostReading | null;
  ratePerS?: number | null;
  order?: string;
};

async function measure(
  scenario: ScenarioInput,
  kind: OperatingPoint,
  {
    beforeSlot = () => {},
    readHost = () => null,
    ratePerS = plan.ratePerS,
    order = 'ABNNBA',
  }: Circumstances = {},
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
    generator,
    samplers: { baseline: null, comparison: null, twin: null },
    counters: null,
    beforeSlot: async () => beforeSlot(),
    readSocketLimits: null,
    readHost,
    memoryBytes: new Map(),
    connectionsOpened: new Map(),
    runStartedAtMs: performance.now(),
  };
  const signal = new AbortController().signal;
  return measureBlock(
    { index: 0, kind, order },
    { ...plan, ratePerS },
    shape,
    ['http', 'http'],
    instruments,
    signal,
  );
}

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
  const block = await measure(light, 'steady', { beforeSlot: inSlot(2, 10, holdUp) });
  expect(codesOf(block)).toContain('late');
  expect(block.reasons.find(({ code }) => code === 'late')?.message).toMatch(/^Slot \d \(http\): .* late/);
  expect(block.slots[1]?.load.latenessUs.p90).toBeGreaterThan(50_000);
});

test('other programs in one slot are foreign CPU', async () => {
  let slot = 0;
  const host: HostReading = { atUs: 0, busyUs: 0, stealUs: 0 };
  const block = await measure(light, 'steady', {
    beforeSlot: () => void slot++,
    readHost() {
      const atUs = performance.now() * 1000;
      if (slot === 3) host.busyUs += (atUs - host.atUs) * availableParallelism();
      host.atUs = atUs;
      return { ...host };
    },
  });
  const foreign = block.reasons.find(({ code }) => code === 'foreign_cpu');
  expect(foreign?.message).toMatch(/^Slot 3 \(http\): other programs used/);
});

/** As the generator would have used its core if no other program had wanted it. */
function alone(slot: Slot): Slot {
  const { generatorBusiestUs, elapsedUs } = slot.load;
  return { ...slot, load: { ...slot.load, elapsedUs: Math.min(elapsedUs, generatorBusiestUs / 0.96) } };
}

test('a generator without a moment to spare is saturated at the steady point', async () => {
  const sampler = openSampler(generator.pids[0] ?? 0);
  const before = sampler.read();
  const { slots } = await measure(heavy, 'steady', { ratePerS: 1000, order: 'AB' });
  const spentUs = sampler.read().cpuUs - before.cpuUs;
  const busyUs = slots.reduce((sum, { load }) => sum + load.generatorBusiestUs, 0);
  expect(busyUs / spentUs, 'the generator’s own count is the kernel’s').toBeGreaterThan(0.7);
  expect(busyUs / spentUs).toBeLessThan(1.05);
  const reasons = judgeBlock(slots.map(alone), plan, availableParallelism());
  expect(reasons.map(({ code }) => code)).toContain('generator_saturated');
});

test('at the maximum point it refuses the throughput, not the block', async () => {
  const block = await measure(heavy, 'maximum');
  expect(codesOf(block)).not.toContain('generator_saturated');
  const slots = block.slots.map(alone);
  const blocks = Array.from({ length: 7 }, (_, index) => ({ ...block, slots, index, reasons: [] }));
  const { metrics } = analyse(blocks, { finished: true, ownTwin: true });
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
  const block = await measure(light, 'steady', { beforeSlot: inSlot(5, 45, stall) });
  expect(codesOf(block)).toContain('overrun');
});
