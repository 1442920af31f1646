/** Protects that a question is asked at the same load each time, whatever the machine does meanwhile. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { sampleAtLoad } from '../../../../shared/testing/sample-at-load.ts';
import { drawsOf } from '../../../method/statistics/random.ts';
import { scriptInstruments } from '../../../testing/scripted-instruments.ts';
import { planFor } from '../plan/presets.ts';
import { findLoad } from './find-load.ts';
import type { Instruments } from './instruments.ts';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());

const arms = namesOf(twoSidesAndTwin);
const random = drawsOf(11);
const plan = planFor(runRequestSchema.parse({ target: 'nginx' }), 7);

/** Transactions per second of a core of the server, and of the generator. */
type Machine = {
  server: Record<Arm, number>;
  generator: Record<Arm, number>;
  /** Of either core, at most, that others take in a burst. */
  others: number;
  /** Of a transaction, s, that waits for something else. */
  waits?: number;
};

/** nginx with one worker, which eight users use up but for 7 %. */
const nginx: Machine = {
  server: { baseline: 52_000, comparison: 31_000, twin: 52_000 },
  generator: { baseline: 60_000, comparison: 44_000, twin: 60_000 },
  others: 0.1,
};
const newConnections: Machine = {
  ...nginx,
  generator: { baseline: 20_000, comparison: 4000, twin: 20_000 },
};

function instrumentsOn({ server, generator, others, waits = 0 }: Machine): Instruments {
  const { instruments } = scriptInstruments({
    arms: twoSidesAndTwin,
    transactionMs: byArm(arms, () => 1),
    cpuUs: null,
  });
  const used = byArm(arms, () => 0);
  instruments.cores = 1;
  instruments.readings.readCpu = async () => ({ ...used });
  instruments.generator.burst = async (name, { durationMs, discardMs, users = 1 }) => {
    const arm = name as Arm;
    const left = () => 1 - others * random();
    const unhindered = waits === 0 ? Number.POSITIVE_INFINITY : users / waits;
    const most = Math.min(left() * server[arm], left() * generator[arm], unhindered);
    const perS = most * (1 - 0.55 / users) * (0.99 + 0.02 * random());
    vi.advanceTimersByTime(durationMs);
    used[arm] += (perS * durationMs * 1000) / server[arm];
    return {
      ...{ elapsedUs: durationMs * 1000, windowUs: (durationMs - discardMs) * 1000, cpuUs: 0 },
      ...{ started: 1, succeeded: 1, transactionsInWindow: (perS * (durationMs - discardMs)) / 1000 },
      busiestUs: (perS * durationMs * 1000) / generator[arm],
    };
  };
  return instruments;
}

const find = (machine: Machine, usual: AtLoad | null = null) =>
  findLoad(
    ...([plan, instrumentsOn(machine), 7, new AbortController().signal] as const),
    usual === null ? null : { ...usual, runId: 'r'.repeat(22), at: 0 },
  );
const sayLoad = ({ users, ratePerS }: AtLoad) => `${users} ${ratePerS}`;

/** Loads of runs in a row, each of which may take the one before. */
async function askAgain(machines: readonly Machine[], first: AtLoad | null = null): Promise<Set<string>> {
  const found = new Set<string>();
  let usual = first;
  for (const machine of machines) {
    usual = await find(machine, usual);
    found.add(sayLoad(usual));
  }
  return found;
}

const runs = (count: number, change: Partial<Machine> = {}) =>
  Array.from({ length: count }, () => ({ ...nginx, ...change }));

test.each([0.03, 0.1])('without earlier runs, where others take up to %f of a core', async (others) => {
  for (const machine of runs(20, { others })) expect(sayLoad(await find(machine))).toBe('8 null');
});

test('a generator that is nearly the limit is none in the next run either', async () => {
  for (const comparison of [40_000, 44_000, 50_000]) {
    const generator = { ...nginx.generator, comparison };
    for (const machine of runs(20, { generator })) expect(sayLoad(await find(machine))).toBe('8 null');
  }
});

test('after a quiet run, beside other work, and back again', async () => {
  const busy = runs(10, { others: 0.7 });
  expect(await askAgain([...runs(3), ...busy, ...runs(3), ...busy])).toEqual(new Set(['8 null']));
});

test('where it was another number of users that used the server up', async () => {
  const usual: AtLoad = { ...sampleAtLoad, users: 16 };
  const machines = [...runs(10), ...runs(10, { others: 0.6 })];
  expect(await askAgain(machines, usual)).toEqual(new Set(['16 null']));
});

test('a generator that is the limit gives one load, run after run, on a busy machine too', async () => {
  const machines = [...Array(10).fill(newConnections), ...Array(10).fill({ ...newConnections, others: 0.4 })];
  const found = await askAgain(machines);
  expect([...found]).toEqual(['8 null']);
});

test('a server that has begun to wait for something else gets another load', async () => {
  const usual = await find(nginx);
  const waiting = { ...nginx, waits: 0.02 };
  expect((await find(waiting, usual)).users).toBeGreaterThan(8);
});

test('a server whose users bring more until the time is over gets the last number of users', async () => {
  const found = await find({ ...nginx, waits: 0.02 });
  expect(found).toMatchObject({ users: 64, ratePerS: null });
});

test('a look at a target that takes seconds is one burst of each arm', async () => {
  let bursts = 0;
  const instruments = instrumentsOn({ ...nginx, waits: 2 });
  const { burst } = instruments.generator;
  instruments.generator.burst = (arm, options) => {
    bursts++;
    vi.advanceTimersByTime(2000);
    return burst(arm, options);
  };
  const found = await findLoad(plan, instruments, 7, new AbortController().signal, null);
  expect(found).toMatchObject({ users: 8, chosen: 'found' });
  expect(bursts).toBe(arms.length);
});
