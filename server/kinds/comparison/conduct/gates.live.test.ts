import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../../shared/block.ts';
import type { OperatingPoint, Plan } from '../../../../shared/load-profile.ts';
import { runRequestSchema } from '../../../../shared/run.ts';
import { type ScenarioInput, scenarioSchema } from '../../../../shared/scenario.ts';
import { defaultTlsProfile } from '../../../../shared/tls-profile.ts';
import { arms } from '../../../../shared/transport.ts';
import { type Generator, startGenerator } from '../../../load/start-generator.ts';
import { readHost } from '../../../sampling/host.ts';
import { analyse } from '../analyse/analyse.ts';
import { planFor } from '../plan/presets.ts';
import { measureBlock } from './measure-block.ts';
import type { Instruments } from './measure-slot.ts';

/** Each thing that spoils a block, provoked for real: the block must be dropped, and say why. */

const text = JSON.stringify({ items: Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'thing' })) });
const server = createServer((request, response) => response.end(request.url === '/json' ? text : 'ok'));
let generator: Generator;
const busy: ChildProcess[] = [];

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  generator = await startGenerator();
});
afterEach(endBusyPrograms);
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

async function measure(
  scenario: ScenarioInput,
  kind: OperatingPoint,
  beforeSlot: Instruments['beforeSlot'] = null,
  { ratePerS = plan.ratePerS, order = 'ABNNBA' } = {},
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
    beforeSlot,
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

/** Ends when its parent does, whatever happens to this test. */
async function startBusyProgram(): Promise<void> {
  const loop =
    'process.stdin.on("end", () => process.exit()).resume(); console.log("busy"); (function spin() { const until = Date.now() + 20; while (Date.now() < until); setImmediate(spin); })();';
  const child = spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'pipe', 'ignore'] });
  busy.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
}

async function endBusyPrograms(): Promise<void> {
  await Promise.all(
    busy.splice(0).map(async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
}

test('a generator that was held up sent late, and the block says so', async () => {
  let slot = 0;
  const block = await measure(light, 'steady', async () => {
    if (++slot !== 2) return;
    const [pid] = generator.pids;
    if (pid === undefined) throw new Error('the generator has no process');
    setTimeout(() => process.kill(pid, 'SIGSTOP'), 80);
    setTimeout(() => process.kill(pid, 'SIGCONT'), 200);
  });
  expect(codesOf(block)).toContain('late');
  expect(block.reasons.find(({ code }) => code === 'late')?.message).toMatch(/^Slot 2 \(http\): .* late/);
});

test('other programs in one slot are foreign CPU', async () => {
  let slot = 0;
  const block = await measure(light, 'steady', async () => {
    slot++;
    if (slot === 3) await Promise.all(Array.from({ length: availableParallelism() }, startBusyProgram));
    if (slot === 4) await endBusyPrograms();
  });
  const foreign = block.reasons.find(({ code }) => code === 'foreign_cpu');
  expect(foreign?.message).toMatch(/^Slot 3 \(http\): other programs used/);
});

test('a generator without a moment to spare is saturated at the steady point', async () => {
  const block = await measure(heavy, 'steady', null, { ratePerS: 1000, order: 'AB' });
  expect(codesOf(block)).toContain('generator_saturated');
  const slot = block.slots[0];
  expect((slot?.load.generatorBusiestUs ?? 0) / (slot?.load.elapsedUs ?? 1)).toBeGreaterThan(0.8);
});

test('at the maximum point it refuses the throughput, not the block', async () => {
  const block = await measure(heavy, 'maximum');
  expect(codesOf(block)).not.toContain('generator_saturated');
  const shares = block.slots.map(({ load }) => load.generatorBusiestUs / load.elapsedUs);
  expect(Math.min(...shares)).toBeGreaterThan(0.5);
  // A machine that others use as well takes from the generator what it would have used.
  const slots = block.slots.map((slot) => ({
    ...slot,
    load: { ...slot.load, elapsedUs: Math.min(slot.load.elapsedUs, slot.load.generatorBusiestUs / 0.96) },
  }));
  const blocks = Array.from({ length: 7 }, (_, index) => ({ ...block, slots, index, reasons: [] }));
  const { metrics } = analyse(blocks, { finished: true, ownTwin: true });
  expect(metrics.find(({ id }) => id === 'throughput')).toMatchObject({
    outcome: 'refused',
    reasons: [expect.stringContaining('The load generator was the limit')],
  });
});

test('a server that stalls at the end of a slot lets it overrun', async () => {
  let slot = 0;
  const block = await measure(light, 'steady', async () => {
    if (++slot !== 5) return;
    void pause(220).then(() => {
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
  });
  expect(codesOf(block)).toContain('overrun');
});
