/** Protects what a run measures and when: launches, epochs, windows and bursts, by a script and a fake clock. */
import { afterEach, expect, test } from 'vitest';
import type { ErrorGroup } from '../../../../shared/base/outcome.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/block.ts';
import type { RunRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { openScriptedRun, type ScriptedRun, type ScriptedRunOptions } from '../../../testing/scripted-run.ts';
import type { StoredLoad } from '../../apparatus.ts';

const open: ScriptedRun[] = [];
afterEach(() => {
  for (const scripted of open.splice(0)) scripted.close();
});

function start(options?: ScriptedRunOptions): ScriptedRun {
  const scripted = openScriptedRun(options);
  open.push(scripted);
  return scripted;
}

const standing = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const error: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'unexpected_status',
  detail: 'answered 500 instead of 200',
  count: 1,
};
const placesOf = ({ blocks }: ScriptedRun) =>
  blocks.map(({ kind, launch, epoch }) => `${launch}.${epoch} ${kind}`);

test('a first answer measures every launch twice, at load and in lockstep', async () => {
  const scripted = start({ request: { launches: 3 } });
  await scripted.conduct();
  expect(placesOf(scripted)).toEqual(
    [0, 1, 2].flatMap((launch) =>
      [0, 1].flatMap((epoch) => [`${launch}.${epoch} maximum`, `${launch}.${epoch} lockstep`]),
    ),
  );
  expect(scripted.blocks.map(({ index }) => index)).toEqual(scripted.blocks.map((_, index) => index));
  expect(scripted.blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(scripted.blocks).toEqual(scripted.run.blocks);
});

test('a run of the length quote goes on to open load in every epoch, at half of what the slower side managed', async () => {
  const scripted = start({
    request: { length: 'quote', launches: 2 },
    plan: { epochs: { minimum: 2, maximum: 2 } },
  });
  await scripted.conduct();
  expect(placesOf(scripted).slice(0, 6)).toEqual(
    [0, 1].flatMap((epoch) => [`0.${epoch} maximum`, `0.${epoch} lockstep`, `0.${epoch} steady`]),
  );
  expect(scripted.run.plan.ratePerS).toBe(500);
  const rates = scripted.slots.flatMap(({ ratePerS }) => ratePerS ?? []);
  expect(rates).toEqual(Array.from({ length: 2 * 2 * 3 }, () => 500));
});

test('a rate beyond what the slower side manages ends the run with its figures', async () => {
  const scripted = start({ request: { ratePerS: 990 } });
  await expect(scripted.conduct()).rejects.toMatchObject({ problem: { code: 'rate_too_high' } });
  expect(placesOf(scripted)).toEqual(['0.0 maximum', '0.0 lockstep']);
});

test('windows last as long as asked for, in orders and rows of their own, and stay within the time of the block', async () => {
  const scripted = start({
    request: { launches: 1, windowMs: 100 },
    plan: { warmUp: { transactions: 1, longestMs: 1 } },
  });
  await scripted.conduct();
  const block = scripted.blocks.find(({ kind }) => kind === 'lockstep');
  expect(scripted.windows.every(({ durationMs, users }) => durationMs === 100 && users === 1)).toBe(true);
  expect(new Set(scripted.windows.map(({ seed }) => seed)).size).toBe(scripted.windows.length);
  expect(new Set(scripted.windows.map(({ firstRow }) => firstRow)).size).toBe(scripted.windows.length);
  expect(block?.windows).toHaveLength(6);
  expect(block?.windows.every(({ aside, stealRatio }) => !aside && stealRatio === 0)).toBe(true);
});

test('a block in lockstep holds the figures of each arm and the ratios of its pairs', async () => {
  const cpuUs = (arm: string) => (arm === 'comparison' ? 600 : 500);
  const scripted = start({ request: { launches: 3 }, cpuUs });
  await scripted.conduct();
  const [atLoad, block] = scripted.blocks;
  expect(block?.ratios.cpu_lone).toMatchObject({ twinValue: 1 });
  expect(block?.ratios.cpu_lone?.value).toBeCloseTo(1.2, 9);
  expect(block?.ratios.latency_p50?.value).toBeCloseTo(1.2, 4);
  expect(block?.slots.map(({ arm, transport, point }) => `${arm} ${transport} ${point}`)).toEqual([
    'baseline http lockstep',
    'comparison https lockstep',
    'twin http lockstep',
  ]);
  const comparison = block?.slots[1];
  expect(comparison?.values.cpu_lone).toBeCloseTo(600, 9);
  expect(comparison?.target?.wallUs).toBe(comparison?.load.elapsedUs);
  expect(atLoad?.ratios.cpu_at_load?.value).toBeCloseTo(1.2, 9);
  expect(atLoad?.ratios.throughput?.value).toBeCloseTo(1, 9);
});

test('a block at load holds samples of a second, each of rounds of short turns', async () => {
  const scripted = start({ request: { launches: 2 } });
  await scripted.conduct();
  const [block] = scripted.blocks;
  const length = 3 * (scripted.run.load?.burstMs ?? 0);
  expect(block?.windows.map(({ rounds }) => rounds)).toHaveLength(3);
  for (const { rounds = 0, elapsedMs } of block?.windows ?? []) {
    expect(Math.abs(elapsedMs - 1000)).toBeLessThanOrEqual(length);
    expect(elapsedMs).toBeCloseTo(rounds * length, 0);
  }
});

test('the load is found with the first launch, for all of them: one step past users that bring no more', async () => {
  const scripted = start({ request: { launches: 2 } });
  await scripted.conduct();
  expect(scripted.run.load).toMatchObject({ users: 4, ratePerS: null, burstMs: 15, chosen: 'found' });
  const tried = scripted.slots.filter(({ users }) => users === 2);
  expect(tried.length).toBe(3 * 8);
  const ofSecond = scripted.slots.slice(scripted.slots.lastIndexOf(tried.at(-1) as never) + 6);
  expect(new Set(ofSecond.map(({ users }) => users))).toEqual(new Set([4]));
});

const loadBefore = (busyCores: number): StoredLoad => {
  const side = { busyCores, cpuUs: 500 };
  return { users: 16, sides: { baseline: side, comparison: side }, at: 5, runId: 'a'.repeat(22) };
};

test('the load of an earlier run is taken as it is while its sides are about as busy', async () => {
  const scripted = start({ request: { launches: 1 } });
  scripted.run.known = loadBefore(0.5);
  await scripted.conduct();
  expect(scripted.run.load).toMatchObject({ users: 16, chosen: 'known' });
  expect(scripted.blocks).toHaveLength(2 * 4);
});

test('a load that does not fit in the first two samples is searched anew, and the run says which it replaces', async () => {
  const scripted = start({ request: { launches: 1 } });
  scripted.run.known = loadBefore(0.1);
  await scripted.conduct();
  expect(scripted.run.load).toMatchObject({ users: 4, chosen: 'found', instead: { users: 16, at: 5 } });
  // The samples of the other load are in no block.
  expect(placesOf(scripted).slice(0, 2)).toEqual(['0.0 maximum', '0.0 lockstep']);
  expect(scripted.blocks).toHaveLength(2 * 4);
});

test('a first answer has two launches, and more where they differ by more than its precision allows', async () => {
  const launchesWith = async (apart: number) => {
    const scripted = start({
      plan: { warmUp: { transactions: 100, longestMs: 6000 } },
      // A launch has four blocks. Its samples differ by 1 %.
      cpuUs: (arm, block) =>
        500 * (1 + 0.01 * Math.sin(block)) * (arm === 'comparison' ? 1.2 + (block < 4 ? 0 : apart) : 1),
    });
    await scripted.conduct();
    return new Set(scripted.blocks.map(({ launch }) => launch)).size;
  };
  expect(await launchesWith(0)).toBe(2);
  expect(await launchesWith(0.2)).toBeGreaterThan(3);
});

test('a first answer goes on until its headline is known to ±5 %, for a minute at most', async () => {
  const [few, more] = [0.01, 0.12].map((spread) =>
    start({
      plan: { warmUp: { transactions: 100, longestMs: 6000 } },
      // The two epochs of each launch differ, and its mean does not.
      cpuUs: (arm, block) =>
        500 * (arm === 'comparison' ? 1.2 + (Math.floor(block / 2) % 2 === 0 ? spread : -spread) : 1),
    }),
  );
  await few?.conduct();
  await more?.conduct();
  const launchesOf = (scripted?: ScriptedRun) => new Set(scripted?.blocks.map(({ launch }) => launch)).size;
  expect(launchesOf(few)).toBe(2);
  expect(launchesOf(more)).toBeGreaterThan(2);
  expect(more?.run.elapsedS).toBeLessThanOrEqual(60);
});

test('a run goes on until its headline has the precision that was asked for, and no longer than asked for', async () => {
  const conducted = async (request: RunRequestInput) => {
    const scripted = start({
      request,
      plan: { warmUp: { transactions: 100, longestMs: 6000 } },
      cpuUs: (arm, block) =>
        500 * (arm === 'comparison' ? 1.2 + (Math.floor(block / 2) % 2 === 0 ? 0.03 : -0.03) : 1),
    });
    await scripted.conduct();
    return {
      launches: new Set(scripted.blocks.map(({ launch }) => launch)).size,
      epochs: scripted.blocks.length / 2,
      elapsedS: scripted.run.elapsedS,
    };
  };
  expect(await conducted({})).toMatchObject({ launches: 2 });
  expect((await conducted({ precision: 0.008 })).launches).toBeGreaterThan(3);
  const brief = await conducted({ precision: 0.002, atMostS: 50 });
  expect(brief.launches).toBeGreaterThan(2);
  expect(brief.elapsedS).toBeLessThanOrEqual(50);
  expect((await conducted({ target: standing, precision: 0.008 })).epochs).toBeGreaterThan(8);
});

test('a target that stands already is one launch, and is measured in epochs until the time is over', async () => {
  const scripted = start({ request: { target: standing } });
  await scripted.conduct();
  expect(new Set(scripted.blocks.map(({ launch }) => launch))).toEqual(new Set([0]));
  expect(scripted.blocks).toHaveLength(2 * 4);
});

test('a target that stands already and is slow has four epochs, whatever its length', async () => {
  const scripted = start({ request: { target: standing, length: 'quote' }, plan: { longestS: 1 } });
  await scripted.conduct();
  expect(scripted.blocks).toHaveLength(3 * 4);
});

test('on a slow machine launches have one epoch instead of two, to have the fewest launches in time', async () => {
  const scripted = start({ request: { length: 'quote' }, plan: { longestS: 0.5 } });
  await scripted.conduct();
  expect(new Set(scripted.blocks.map(({ launch, epoch }) => `${launch}.${epoch}`))).toEqual(
    new Set(['0.0', '1.0', '2.0']),
  );
});

test('launches end where the next one would break the promise, and never before the fewest', async () => {
  const standard = { length: 'quote' } as const;
  const slow = start({ request: standard, plan: { longestS: 60, launches: { minimum: 3, maximum: 9 } } });
  await slow.conduct();
  const launches = new Set(slow.blocks.map(({ launch }) => launch)).size;
  expect(launches).toBeGreaterThanOrEqual(3);
  expect(launches).toBeLessThan(9);
  expect(slow.run.elapsedS).toBeLessThanOrEqual(60);
  const slower = start({ request: standard, plan: { longestS: 1 } });
  await slower.conduct();
  expect(new Set(slower.blocks.map(({ launch }) => launch)).size).toBe(3);
});

test('a run of the length quote ends when its headline is known to ±2 %, and goes on while it is not', async () => {
  const narrow = start({ request: { length: 'quote' } });
  await narrow.conduct();
  expect(new Set(narrow.blocks.map(({ launch }) => launch)).size).toBe(3);
  const wide = start({
    request: { length: 'quote' },
    // Every second launch is dearer by 4 %; a launch has six blocks.
    cpuUs: (arm, block) =>
      (arm === 'comparison' ? 600 : 500) *
      (Math.floor(block / 6) % 2 === 0 && arm === 'comparison' ? 1.04 : 1),
  });
  await wide.conduct();
  expect(new Set(wide.blocks.map(({ launch }) => launch)).size).toBeGreaterThan(4);
  expect(wide.run.elapsedS).toBeLessThanOrEqual(240);
});

test('a target whose processes cannot be read has latency and throughput, and holds nothing up', async () => {
  const scripted = start({ request: { length: 'quote' }, cpuUs: null });
  await scripted.conduct();
  expect(new Set(scripted.blocks.map(({ launch }) => launch)).size).toBe(3);
  expect(Object.keys(scripted.blocks[1]?.ratios ?? {})).toEqual(['latency_p50']);
  expect(scripted.blocks.flatMap(({ slots }) => slots).every(({ target }) => target === null)).toBe(true);
});

test('the hook before a window is called for each round and window, during the warm-up too', async () => {
  let told = 0;
  const scripted = start({ request: { launches: 1 }, beforeWindow: () => void told++ });
  await scripted.conduct();
  // A round of a search has each arm with two numbers of users.
  const tried = scripted.slots.filter(({ users }) => users === 2).length;
  expect(told).toBe(scripted.windows.length + (scripted.slots.length - tried) / 3);
});

test('a block for which there are no ports waits until closed connections have given theirs back', async () => {
  const scripted = start({ request: { launches: 1 }, script: () => ({ connectionsOpened: 500 }) });
  const limits = { ephemeralPorts: 1000, reusesTimeWait: false, descriptors: [] };
  let asked = 0;
  scripted.instruments.readSocketLimits = () => ({ ...limits, timeWait: ++asked === 1 ? 501 : 0 });
  await scripted.conduct();
  // Not before the first block, and once more after the shortage.
  expect(asked).toBe(scripted.blocks.length);
});

test('a target that counts other handshakes than the generator drops the block', async () => {
  const scripted = start({ request: { launches: 1 } });
  let asked = 0;
  scripted.instruments.counters = async () => ({
    ...{ cpuUs: 0, rssBytes: 1, requests: 0, connections: 0, handshakesResumed: 0 },
    handshakesFull: ++asked,
  });
  await scripted.conduct();
  expect(scripted.blocks[0]?.reasons.map(({ code }) => code)).toContain('handshakes_disagree');
});

test('errors in three epochs in a row end the run, with what it has measured', async () => {
  const scripted = start({
    request: { target: standing },
    script: (arm, block) => (block >= 2 && arm === 'comparison' ? { errors: [{ ...error, count: 90 }] } : {}),
  });
  await expect(scripted.conduct()).rejects.toMatchObject({
    problem: {
      code: 'target_errors',
      detail:
        'The target failed in part 8 of the run: HTTPS, Search: answered 500 instead of 200 (90 times).',
      advice: 'Check the server’s log.',
    },
  });
  expect(scripted.blocks).toHaveLength(8);
});

test('a generator that is lost again and again ends the run, however often it comes back', async () => {
  const lost = problem('generator_lost', 'The connection to the generator gen-1 was lost.');
  const scripted = start({
    beforeWindow() {
      throw lost;
    },
  });
  let returns = 0;
  const recover = async () => {
    returns++;
    return true;
  };
  Object.assign(scripted.instruments, { hosts: { recover, idleUs: () => 0 } });
  await expect(scripted.conduct()).rejects.toBe(lost);
  expect(returns).toBe(3);
});

test('one failure in a thousand transactions ends nothing, however many blocks have it', async () => {
  const scripted = start({
    request: { target: standing },
    script: (arm, block) => (block % 2 === 0 && arm === 'comparison' ? { errors: [error] } : {}),
  });
  await scripted.conduct();
  expect(scripted.blocks).toHaveLength(2 * 4);
  expect(scripted.blocks[0]?.reasons).toMatchObject([{ code: 'errors', spoils: 'throughput' }]);
});

test.each([
  ['target_errors', error],
  ['target_died', { ...error, outcome: 'connection_refused', detail: 'the connection was refused' }],
] as const)('a block that mostly fails ends the run at once: %s', async (code, group) => {
  const scripted = start({
    script: (_arm, block) =>
      block === 1 ? { started: 100, succeeded: 49, errors: [{ ...group, count: 51 }] } : {},
  });
  await expect(scripted.conduct()).rejects.toMatchObject({
    problem: { code, detail: expect.stringMatching(/in part 2 of the run: HTTP, Search: .* \(\d+ times\)/) },
  });
  expect(scripted.blocks).toHaveLength(2);
});

test('a run that is canceled stops after the window under way; the blocks before are kept, its own is not', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let windows = 0;
  const scripted = start({
    beforeWindow: () => {
      // Beyond the six or so that warm the second launch up.
      if (scripted.blocks.length === 4 && ++windows === 8) controller.abort(reason);
    },
  });
  await expect(scripted.conduct(controller.signal)).rejects.toBe(reason);
  expect(windows).toBe(8);
  expect(scripted.blocks).toHaveLength(4);
});

test('events tell each block once, in order, with the headline’s interval, and the bar never goes back', async () => {
  const scripted = start({
    request: { launches: 4 },
    script: (_arm, block) => (block === 7 ? { errors: [error] } : {}),
  });
  await scripted.conduct();
  const of = <T extends RunEvent['type']>(type: T) =>
    scripted.events.flatMap((event) =>
      event.type === type ? [event as Extract<RunEvent, { type: T }>] : [],
    );

  expect(of('block').map(({ index }) => index)).toEqual(scripted.blocks.map((_, index) => index));
  expect(of('block').every(({ interval }) => interval !== null)).toBe(true);
  expect(of('block').flatMap(({ index, reasons }) => (reasons.length === 0 ? [] : [index]))).toEqual([7]);
  const fractions = of('progress').map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(of('progress').at(-1)?.counts[0]).toEqual({ of: 'start', done: 4, planned: 4 });
  const { transport: _, ...kept } = error;
  expect(of('errors').at(-1)?.groups).toEqual([
    { ...kept, side: 'baseline', name: 'HTTP', count: 2 },
    { ...kept, side: 'comparison', name: 'HTTPS', count: 1 },
  ]);
});
