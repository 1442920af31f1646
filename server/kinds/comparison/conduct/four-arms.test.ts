/** Protects that what measures takes its arms from the plan: with four of them each has its own figures, in orders of four. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Arms, byArm, fromSides, namesOf } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { type Sample, samples } from '../../../measure/rounds.ts';
import { warmUp } from '../../../measure/warm-up.ts';
import { searchScenario } from '../../../targets/storefront/search-scenario.ts';
import { type ScriptedInstruments, scriptInstruments } from '../../../testing/scripted-instruments.ts';
import { planFor } from '../run-plan.ts';
import { type BlockPlace, measureOpen } from './block-under-way.ts';
import { measureAtLoad, measureOneUser } from './launch-under-way.ts';

type Mesh = 'direct' | 'proxied' | 'secured' | 'again';
/** The twin is neither the last one nor called one. */
const arms: Arms<Mesh> = [
  { name: 'direct', letter: 'D' },
  { name: 'again', letter: 'Z', twinOf: 'direct' },
  { name: 'proxied', letter: 'P' },
  { name: 'secured', letter: 'S' },
];
const transactionMs: Record<Mesh, number> = { direct: 1, again: 1, proxied: 1.5, secured: 2 };
const cpuUs: Record<Mesh, number> = { direct: 400, again: 400, proxied: 600, secured: 900 };
const maximumPerS: Record<Mesh, number> = { direct: 1000, again: 1000, proxied: 800, secured: 500 };

const plan = { ...planFor(runRequestSchema.parse({}), 7), ratePerS: 200, maximumMs: 1000, lockstepMs: 1000 };
const unread = { busyCores: null, cpuUs: null };
const load: AtLoad = {
  ...{ users: 8, ratePerS: null, burstMs: 50, cores: null, chosen: 'asked' },
  sides: { baseline: unread, comparison: unread },
};
const place: BlockPlace<Mesh> = {
  ...{ index: 0, launch: 0, epoch: 0, seed: 11, runStartedAtMs: 0 },
  transports: fromSides(arms, ['http', 'http', 'https']),
  labels: byArm(namesOf(arms), (arm) => arm),
};
/** But for the rounding of a division. */
const near = (value: number) => expect.closeTo(value, 9);
const { signal } = new AbortController();
const letters = Object.fromEntries(arms.map(({ name, letter }) => [name, letter]));

async function takeSamples(
  instruments: ScriptedInstruments<Mesh>['instruments'],
  ms: number,
): Promise<Sample<Mesh>[]> {
  const taken: Sample<Mesh>[] = [];
  for await (const sample of samples(instruments, load, { seed: 11, ms, sampleMs: 1000, signal }, 0))
    taken.push(sample);
  return taken;
}

function script(shared = false): ScriptedInstruments<Mesh> {
  return scriptInstruments<Mesh>({ arms, shared, transactionMs, cpuUs: (arm) => cpuUs[arm], maximumPerS });
}

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

test.each([
  ['processes of their own', false],
  ['one process tree', true],
])('bursts on four arms with %s give each what is its own', async (_what, shared) => {
  const { instruments, slots } = script(shared);
  const taken = await takeSamples(instruments, 3000);
  expect(taken).toHaveLength(3);
  for (const { window, busyCores } of taken) {
    // A round takes 4 × 50 ms.
    expect([window.rounds, window.elapsedMs]).toEqual([5, 1000]);
    expect(window.arms).toEqual({
      direct: { transactions: 250, cpuUs: 100_000, medianUs: null, perS: near(1000) },
      again: { transactions: 250, cpuUs: 100_000, medianUs: null, perS: near(1000) },
      proxied: { transactions: 200, cpuUs: 120_000, medianUs: null, perS: near(800) },
      secured: { transactions: 125, cpuUs: 112_500, medianUs: null, perS: near(500) },
    });
    expect(busyCores).toEqual({
      direct: near(0.4),
      again: near(0.4),
      proxied: near(0.48),
      secured: near(0.45),
    });
  }
  const rounds = taken.flatMap((sample) => sample.rounds);
  expect(rounds.flatMap(({ order }) => order)).toEqual(slots.map(({ arm }) => arm));
  expect(rounds.map(({ before }) => before)).toEqual([
    null,
    ...rounds.slice(0, -1).map(({ order }) => order.at(-1) ?? null),
  ]);
});

test('rounds come in all 24 orders of four arms, about equally often, and in the same ones with the same seed', async () => {
  const ordersOf = async () =>
    (await takeSamples(script().instruments, 480 * 200)).flatMap(({ rounds }) =>
      rounds.map(({ order }) => order.map((arm) => letters[arm]).join('')),
    );
  const orders = await ordersOf();
  expect(orders).toHaveLength(480);
  const counts = [...Map.groupBy(orders, (order) => order)].map(([order, of]) => [order, of.length] as const);
  expect(counts).toHaveLength(24);
  for (const [order, count] of counts) {
    expect([...order].toSorted().join('')).toBe('DPSZ');
    // 20 are expected, with a standard deviation of 4.4.
    expect(Math.abs(count - 20)).toBeLessThan(16);
  }
  expect(await ordersOf()).toEqual(orders);
});

test('a block at load has a slot an arm, and says what the second side takes compared with the first and its twin', async () => {
  const block = await measureAtLoad(place, plan, load, script().instruments, signal);
  if (block === null) throw new Error('nothing asks whether the load fits');
  const { slots, ratios, order } = block;
  expect(order).toBe('DZPS');
  expect(slots.map(({ arm, transport, load: { succeeded } }) => [arm, transport, succeeded])).toEqual([
    ['direct', 'http', 250],
    ['again', 'http', 250],
    ['proxied', 'http', 200],
    ['secured', 'https', 125],
  ]);
  expect(slots.map(({ target }) => target?.cpuUs)).toEqual([100_000, 100_000, 120_000, 112_500]);
  expect(ratios.cpu_at_load?.value).toBeCloseTo(1.5, 12);
  expect(ratios.cpu_at_load?.twinValue).toBeCloseTo(1, 12);
  expect(ratios.throughput?.value).toBeCloseTo(0.8, 12);
});

test('lockstep goes to all four in turn, and each has the latency of its own turns', async () => {
  const { instruments, windows: asked } = script();
  const block = await measureOneUser(place, plan, instruments, signal);
  expect(asked.map((window) => window.arms)).toEqual(asked.map(() => namesOf(arms)));
  for (const { arms: measured } of block.windows) {
    // A group takes 5.5 ms: 37 of them begin in a window of 200 ms.
    expect(measured).toEqual(
      byArm(namesOf(arms), (arm) => ({
        ...{ transactions: 37, cpuUs: 37 * cpuUs[arm], perS: null },
        medianUs: 1000 * transactionMs[arm],
      })),
    );
  }
  expect(block.ratios.latency_p50?.value).toBeCloseTo(1.5, 12);
  expect(block.ratios.latency_p50?.twinValue).toBeCloseTo(1, 12);
});

test('open load visits the four in an order of its own', async () => {
  const { slots, order } = await measureOpen(place, plan, 400, script().instruments, signal);
  expect([...order].toSorted().join('')).toBe('DPSZ');
  expect(slots.map(({ load: { due } }) => due)).toEqual([80, 80, 80, 80]);
});

test('a warm-up gives every arm as much as the others, and finds one load for all sides', async () => {
  const { instruments, slots } = script();
  const run = runOf({ ...plan });
  await warmUp(run, instruments, 3, signal);
  const bursts = Map.groupBy(slots, ({ arm }) => arm);
  expect([...bursts.keys()].toSorted()).toEqual(namesOf(arms).toSorted());
  expect(new Set([...bursts.values()].map(({ length }) => length)).size).toBe(1);
  expect(run.setLoad).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ users: 4, chosen: 'found' }));
});

test('bursts get longer when generator hosts wait more than a tenth of the time', async () => {
  const { instruments, slots } = script();
  const run = runOf({ ...plan });
  await warmUp(run, { ...instruments, hosts: { idleUs: () => 20_000 } }, 3, signal);
  expect(new Set(slots.map(({ durationMs }) => durationMs))).toEqual(new Set([180]));
  const load = { burstMs: 180, longerFor: 'generator_hosts' };
  expect(run.setLoad).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(load));
});

function runOf(planned: typeof plan) {
  return {
    ...{ plan: planned, scenario: searchScenario, labels: place.labels },
    ...{ startedAtMs: 0, transactionMs: 0, warmUp: null, load: null, known: null },
    ...{ setLoad: vi.fn(), enter: vi.fn() },
  };
}
