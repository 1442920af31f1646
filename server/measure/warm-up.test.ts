/** Protects that a question is asked at one load: found once, one step past the knee, in the same way on a busy machine. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { AtLoad } from '../../shared/kinds/comparison/at-load.ts';
import { drawsOf } from '../method/statistics/random.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { scriptInstruments } from '../testing/scripted-instruments.ts';
import type { LoadBench, LoadPlan } from './bench.ts';
import type { Round } from './rounds.ts';
import { type KnownLoad, noLongerFalls, stillFits, warmUp } from './warm-up.ts';

beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());

const arms = namesOf(twoSidesAndTwin);
const random = drawsOf(11);
const { signal } = new AbortController();
const usualPlan: LoadPlan = {
  ...{ arms: twoSidesAndTwin, users: null, generators: 1, maximumMs: 3000, thinkMs: 0 },
  ...{ windowMs: 200, pairUsers: 1, warmUp: { transactions: null, longestMs: 3000 } },
};

/** Transactions per second of a core of the server, and of the generator. */
type Machine = {
  server: Record<Arm, number>;
  generator: Record<Arm, number>;
  /** Share of either core that others take in a turn, at most. */
  others: number;
  /** Time that a transaction waits for something else, s. */
  waits: number;
  /** CPU beside a transaction's own that all users share, such as a wake-up, in transactions. */
  together: number;
  cores: number | null;
};

/** nginx with one worker: two users keep it 75 % busy, four 94, eight all of it. */
const nginx: Machine = {
  server: { baseline: 52_000, comparison: 31_000, twin: 52_000 },
  generator: { baseline: 60_000, comparison: 44_000, twin: 60_000 },
  ...{ others: 0.1, waits: 0, together: 0, cores: 1 },
};

function benchOn({ server, generator, others, waits, together, cores }: Machine): LoadBench<Arm> {
  const { instruments } = scriptInstruments({
    arms: twoSidesAndTwin,
    transactionMs: byArm(arms, () => 1),
    cpuUs: null,
  });
  const used = byArm(arms, () => 0);
  instruments.cores = cores;
  instruments.readings.readCpu = async () => ({ ...used });
  instruments.generator.burst = async (name, { durationMs, discardMs, users = 1 }) => {
    const arm = name as Arm;
    const left = () => 1 - others * random();
    const unhindered = waits === 0 ? Number.POSITIVE_INFINITY : users / waits;
    const most = Math.min(left() * server[arm], left() * generator[arm], unhindered);
    const perS = most * (1 - 0.5 ** users) * (0.99 + 0.02 * random());
    vi.advanceTimersByTime(durationMs);
    used[arm] += ((perS * durationMs * 1000) / server[arm]) * (1 + together / users);
    return {
      ...{ elapsedUs: durationMs * 1000, windowUs: (durationMs - discardMs) * 1000, cpuUs: 0 },
      started: Math.max(1, Math.round((perS * durationMs) / 1000)),
      succeeded: Math.max(1, Math.round((perS * durationMs) / 1000)),
      transactionsInWindow: (perS * (durationMs - discardMs)) / 1000,
      busiestUs: (perS * durationMs * 1000) / generator[arm],
    };
  };
  return instruments;
}

async function find(
  machine: Partial<Machine> = {},
  plan: Partial<LoadPlan> = {},
  known: KnownLoad | null = null,
  serves?: (users: number) => Promise<boolean>,
): Promise<AtLoad> {
  const run = {
    ...{ plan: { ...usualPlan, ...plan }, scenario: searchScenario, labels: byArm(arms, (arm) => arm) },
    ...{ startedAtMs: 0, transactionMs: 0, warmUp: null, load: null as AtLoad | null, known },
    async enter() {},
    async setLoad(load: AtLoad) {
      run.load = load;
    },
  };
  const bench = { ...benchOn({ ...nginx, ...machine }), ...(serves === undefined ? {} : { serves }) };
  await warmUp(run, bench, 7, signal);
  if (run.load === null) throw new Error('a warm-up finds a load');
  return run.load;
}

test.each([0.03, 0.1])(
  'one step past the knee, run after run, where others take up to %f of a core',
  async (others) => {
    for (let run = 0; run < 20; run++)
      expect(await find({ others })).toMatchObject({ users: 8, chosen: 'found' });
  },
);

test('the generator does not decide on it', async () => {
  for (const comparison of [8000, 20_000, 40_000]) {
    const generator = { ...nginx.generator, comparison };
    expect(await find({ generator })).toMatchObject({ users: 8, ratePerS: null });
  }
});

test('as many more users as a server that waits for something else needs', async () => {
  expect(await find({ waits: 0.0005 })).toMatchObject({ users: 64, chosen: 'found' });
});

test('no more users than the server answers at the same time', async () => {
  const serves = async (users: number) => users <= 20;
  expect(await find({ waits: 0.0005 }, {}, null, serves)).toMatchObject({ users: 16, chosen: 'most_served' });
});

test('more users while a transaction costs less with them, although they keep no more of the core busy', async () => {
  expect(await find({ together: 1 })).toMatchObject({ users: 32, chosen: 'found' });
});

test('no more than 64 per core, which the result says', async () => {
  expect(await find({ waits: 0.01 })).toMatchObject({ users: expect.any(Number), chosen: 'last_tried' });
  expect(await find({ waits: 0.003 })).toMatchObject({ users: 64, chosen: 'last_tried' });
});

test('a target that takes two seconds is searched for four seconds at most', async () => {
  const before = performance.now();
  expect(await find({ waits: 2 })).toMatchObject({ chosen: 'last_tried', longerFor: 'transactions' });
  // A turn lasts until its last transaction has ended.
  expect(performance.now() - before).toBeLessThan(3000 + 4000 + 6 * 1000);
});

test.each([
  ['asked', { users: 24 }, 24],
  ['fixed', { thinkMs: 30 }, 8],
  ['fixed', { link: {} }, 8],
] as const)('%s users are not searched', async (chosen, plan, users) => {
  const load = await find({}, plan);
  expect(load).toMatchObject({ chosen, users });
  expect(load.sides.baseline.busyCores).toBeGreaterThan(0);
});

test('users are a multiple of the processes that generate them', async () => {
  expect((await find({}, { generators: 3 })).users % 3).toBe(0);
  expect((await find({}, { generators: 3, thinkMs: 30 })).users).toBe(9);
});

const known: KnownLoad = {
  ...{ users: 16, at: 1 },
  sides: { baseline: { busyCores: 0.9, cpuUs: 19 }, comparison: { busyCores: 0.95, cpuUs: 32 } },
};

test('what an earlier run found is taken over, with what its sides did then', async () => {
  expect(await find({}, {}, known)).toMatchObject({ users: 16, chosen: 'known', sides: known.sides });
});

test.each([
  ['the same', 0.9, 0.95, 0, true],
  ['half as busy, and others took half of the machine', 0.45, 0.48, 0.5, true],
  ['one side half as busy', 0.9, 0.47, 0, false],
  ['twice as busy', 1.8, 1.9, 0, false],
  ['not readable', null, null, 0, true],
] as const)('a known load whose sides are %s', (_what, baseline, comparison, others, fits) => {
  expect(stillFits(known, { baseline, comparison }, others)).toBe(fits);
});

/** Rounds of 50 ms in which a transaction costs what is given. */
function roundsCosting(costs: readonly number[]): Round<'one'>[] {
  return costs.map((cpuUs, nth) => ({
    turns: [
      {
        ...{
          arm: 'one',
          users: 1,
          burstMs: 50,
          cpuUs: { one: cpuUs },
          others: { kernelUs: 0, transactionsBefore: 0, ms: 50, us: new Map() },
        },
        burst: {
          ...{ elapsedUs: 50_000, windowUs: 50_000, started: 1, succeeded: 1, transactionsInWindow: 1 },
          ...{ cpuUs: 0, busiestUs: 0 },
        },
      },
    ],
    ...{ startedAtMs: 50 * nth, elapsedMs: 50, failed: 0, cpuUs: { one: cpuUs } },
    ...{ targetUs: cpuUs, generatorUs: 0, settledUs: 0, nobody: null },
  }));
}
const scattered = (center: number, count: number) =>
  Array.from({ length: count }, () => center * (1 + 0.1 * (random() - 0.5)));

test('a server is warm once its last second is no cheaper than the one before', () => {
  expect(noLongerFalls(roundsCosting(scattered(100, 30)), ['one'])).toBe(false);
  expect(noLongerFalls(roundsCosting(scattered(100, 40)), ['one'])).toBe(true);
  expect(noLongerFalls(roundsCosting([...scattered(110, 20), ...scattered(100, 20)]), ['one'])).toBe(false);
  expect(noLongerFalls(roundsCosting([...scattered(90, 20), ...scattered(100, 20)]), ['one'])).toBe(true);
});
