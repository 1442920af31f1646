/** Protects the ratios of a block: CPU by sums, latency by pairs, throughput by bursts, and their errors. */

import { describe, expect, test } from 'vitest';
import type { ErrorGroup } from '../../../shared/base/outcome.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import { type Block, runEventSchema } from '../../../shared/kinds/comparison/block.ts';
import { describeErrors } from '../../targets/preflight/target-parts.ts';
import { blockInTest, failed } from '../../testing/block-in-test.ts';
import {
  describeBlock,
  errorsOf,
  lockstepRatios,
  type MeasuredWindow,
  maximumRatios,
} from './block-ratios.ts';
import { question } from './metric-readings.ts';

type Measured = Partial<MeasuredWindow['arms'][Arm]>;

function window(
  arms: Record<Arm, Measured>,
  rest: Partial<Pick<MeasuredWindow, 'aside' | 'groups'>> = {},
): MeasuredWindow {
  const whole = (arm: Arm) => ({ transactions: 0, cpuUs: null, medianUs: null, perS: null, ...arms[arm] });
  return {
    ...{ startedAtMs: 0, elapsedMs: 200, stealRatio: 0, foreignRatio: 0, aside: false },
    arms: { baseline: whole('baseline'), comparison: whole('comparison'), twin: whole('twin') },
    ...rest,
  };
}

const cpu = (baseline: number, comparison: number, twin: number, aside = false) =>
  window(
    {
      baseline: { transactions: 10, cpuUs: baseline },
      comparison: { transactions: 20, cpuUs: comparison },
      twin: { transactions: 10, cpuUs: twin },
    },
    { aside },
  );

describe('CPU of a lone transaction', () => {
  test('is a ratio of sums: (2,400 + 3,600) / 40 against (1,000 + 1,000 + 1,500 + 1,500) / 40', () => {
    const ratio = lockstepRatios([cpu(1000, 2400, 1000), cpu(1500, 3600, 1500)], question).cpu_lone;
    expect(ratio?.value).toBeCloseTo(1.2, 12);
    expect(ratio?.twinValue).toBeCloseTo(1, 12);
    expect(ratio?.allValue).toBeCloseTo(1.2, 12);
    expect(ratio?.logError).toBeNull();
  });
  test('leaves out what is set aside, and gives the figure with it beside', () => {
    const windows = [cpu(1000, 2400, 1000), cpu(1000, 2400, 1000), cpu(1000, 7200, 1000, true)];
    const ratio = lockstepRatios(windows, question).cpu_lone;
    expect(ratio?.value).toBeCloseTo(1.2, 12);
    expect(ratio?.allValue).toBeCloseTo(2, 12);
  });
  test('has the error of the jackknife over windows, and none where every window says the same', () => {
    const alike = [1, 2, 3].map((times) => cpu(1000 * times, 2400 * times, 1000 * times));
    expect(lockstepRatios(alike, question).cpu_lone?.logError).toBeCloseTo(0, 12);
    // Without each in turn: ln 1.15, ln 1.2, ln 1.25.
    const apart = [cpu(1000, 2600, 1000), cpu(1000, 2400, 1000), cpu(1000, 2200, 1000)];
    const left = [1.15, 1.2, 1.25].map(Math.log);
    const mean = left.reduce((sum, each) => sum + each, 0) / 3;
    const expected = Math.sqrt((2 / 3) * left.reduce((sum, each) => sum + (each - mean) ** 2, 0));
    expect(lockstepRatios(apart, question).cpu_lone?.logError).toBeCloseTo(expected, 12);
  });
  test('is absent where a window lacks it, or nothing was used', () => {
    const lacking = window({ baseline: { transactions: 10 }, comparison: {}, twin: {} });
    expect(lockstepRatios([cpu(1000, 2400, 1000), lacking], question)).toEqual({});
    expect(lockstepRatios([cpu(0, 0, 0)], question)).toEqual({});
    expect(lockstepRatios([], question)).toEqual({});
  });
});

test('CPU at load is the same, by bursts instead of windows, and beside it a center that one odd burst does not move', () => {
  const bursts = [...Array.from({ length: 8 }, () => cpu(1000, 2400, 1000)), cpu(1000, 24_000, 1000)];
  const ratio = maximumRatios(bursts, question).cpu_at_load;
  expect(ratio?.value).toBeCloseTo((8 * 1.2 + 12) / 9, 12);
  expect(ratio?.robustValue).toBeCloseTo(1.2, 12);
});

describe('median latency', () => {
  const none = { baseline: {}, comparison: {}, twin: {} };
  const groups = (...of: [baseline: number, comparison: number, twin: number][]) =>
    window(none, { groups: of.map(([baseline, comparison, twin]) => ({ baseline, comparison, twin })) });

  test('is the median of the pairs’ ratios: 1.1, 1.2, 1.3 and 13', () => {
    const ratio = lockstepRatios(
      [groups([1200, 1320, 1100]), groups([1000, 1300, 100])],
      question,
    ).latency_p50;
    expect(ratio?.value).toBeCloseTo(Math.sqrt(1.2 * 1.3), 12);
    expect(ratio?.twinValue).toBeCloseTo(Math.sqrt((1100 / 1200) * 0.1), 12);
    expect(ratio?.logError).toBeNull();
  });
  test('has an error from the order statistics, wider where windows differ', () => {
    // The same 32 ratios from 0.85 to 1.15, of each window all over the range, then of each window alike.
    const us = Array.from({ length: 32 }, (_, index) => 1000 + 10 * (index - 15.5));
    const alike = (of: number[]) => groups(...of.map((each): [number, number, number] => [1000, each, 1000]));
    const mixed = [0, 1, 2, 3].map((part) => alike(us.filter((_, index) => index % 4 === part)));
    const apart = [0, 1, 2, 3].map((part) => alike(us.slice(8 * part, 8 * part + 8)));
    const error = (windows: MeasuredWindow[]) => lockstepRatios(windows, question).latency_p50?.logError ?? 0;
    expect(error(mixed)).toBeGreaterThan(0.01);
    expect(error(apart)).toBeGreaterThan(2 * error(mixed));
  });
});

describe('throughput', () => {
  const rates = (baseline: number, comparison: number, twin: number, aside = false) =>
    window(
      { baseline: { perS: baseline }, comparison: { perS: comparison }, twin: { perS: twin } },
      { aside },
    );

  test('is a ratio of sums, as CPU is, with a center beside it that a stall does not carry away', () => {
    const windows = [...Array.from({ length: 9 }, () => rates(1100, 800, 900)), rates(1000, 10, 1000)];
    const { throughput, transactions_per_10_min: per10Min } = maximumRatios(windows, question);
    expect(throughput?.value).toBeCloseTo((9 * 800 + 10) / (9 * 1000 + 1000), 12);
    expect(throughput?.twinValue).toBeCloseTo((9 * 900 + 1000) / (9 * 1100 + 1000), 12);
    expect(throughput?.robustValue).toBeCloseTo(800 / Math.sqrt(1100 * 900), 12);
    expect(per10Min).toEqual(throughput);
  });
  test('is absent where bursts kept to a rate', () => {
    expect(maximumRatios([rates(1000, 900, 1000)], question, { rated: true })).toEqual({});
  });
  test('is absent where an arm served nothing', () => {
    expect(maximumRatios([rates(1000, 0, 1000)], question)).toEqual({});
    expect(maximumRatios([], question)).toEqual({});
  });
  test('swapped sides give the inverse, and a faster machine the same', () => {
    const windows = [1, 2, 3, 4, 5, 6, 7].map((n) => rates(1000 + n, 700 + n * n, 1000 + n));
    const swapped = windows.map(({ arms: { baseline, comparison } }) =>
      rates(comparison.perS ?? 0, baseline.perS ?? 0, comparison.perS ?? 0),
    );
    const faster = windows.map(({ arms: { baseline, comparison, twin } }) =>
      rates(3 * (baseline.perS ?? 0), 3 * (comparison.perS ?? 0), 3 * (twin.perS ?? 0)),
    );
    const of = (each: MeasuredWindow[]) => maximumRatios(each, question).throughput;
    expect(of(swapped)?.value).toBeCloseTo(1 / (of(windows)?.value ?? 0), 12);
    expect(of(swapped)?.logError).toBeCloseTo(of(windows)?.logError ?? 0, 12);
    expect(of(faster)?.value).toBeCloseTo(of(windows)?.value ?? 0, 12);
  });
});

/** Protects the event of a block during a run. */

const blockCpu = (baseline: number, comparison: number) => (arm: string) => ({
  values: { cpu_at_load: arm === 'comparison' ? comparison : baseline, memory_growth: 0 },
});
const known = { target: 'storefront', openMs: null } as const;

function eventOf(blocks: Block[]) {
  const event = runEventSchema.parse(describeBlock(blocks.at(-1) as Block, blocks, known));
  if (event.type !== 'block') throw new Error(event.type);
  return event;
}

test('a block tells what it says itself, its windows, and the interval of the headline over all that count', () => {
  const window = { startedAtMs: 0, elapsedMs: 200, stealRatio: 0, foreignRatio: 0, arms: windowArms };
  const windows = [
    { ...window, aside: false },
    { ...window, aside: true },
    { ...window, aside: false },
  ];
  const event = eventOf([
    blockInTest(0, 'maximum', blockCpu(100, 120)),
    blockInTest(1, 'maximum', blockCpu(300, 900), { reasons: failed }),
    blockInTest(2, 'maximum', blockCpu(110, 143), { launch: 1, epoch: 3, windows }),
  ]);
  expect(event).toEqual({
    type: 'block',
    index: 2,
    kind: 'maximum',
    launch: 1,
    epoch: 3,
    reasons: [],
    windows: { measured: 3, aside: 1 },
    values: {
      cpu_at_load: { baseline: expect.closeTo(110, 9), comparison: expect.closeTo(143, 9) },
      memory_growth: { baseline: 0, comparison: 0 },
    },
    ratios: { cpu_at_load: expect.closeTo(1.3, 12) },
    interval: expect.objectContaining({ center: expect.closeTo(1.2489, 3) }),
  });
});

test('a dropped block says why, and nothing of any metric', () => {
  expect(eventOf([blockInTest(0, 'maximum', blockCpu(100, 120), { reasons: failed })])).toMatchObject({
    reasons: failed,
    ...{ values: {}, ratios: {}, interval: null },
  });
});

test('a block tells nothing of the metrics that are not read from it, in a run with open load or without', () => {
  const values = { throughput: 400, latency_p50: 7, latency_p99: 9 };
  const ratiosAt = (kind: 'maximum' | 'lockstep' | 'steady', openMs: number | null) => {
    const block = blockInTest(0, kind, () => ({ values }));
    const event = describeBlock(block, [block], { ...known, openMs });
    return event.type === 'block' ? Object.keys(event.ratios) : [];
  };
  expect(ratiosAt('maximum', null)).toEqual(['throughput']);
  expect(ratiosAt('lockstep', null)).toContain('latency_p50');
  expect(ratiosAt('lockstep', 1000)).not.toContain('latency_p99');
  expect(ratiosAt('steady', 1000)).not.toContain('latency_p50');
});

test('the interval so far is the prior’s alone after one block, and then the launches’ with it', () => {
  const at = (index: number, launch: number, change: number) =>
    blockInTest(index, 'maximum', blockCpu(100, 100 * Math.exp(change)), { launch });
  const blocks = [at(0, 0, 0.1), at(1, 1, 0.2), at(2, 2, 0.3)];
  const of = (count: number) => eventOf(blocks.slice(0, count)).interval;
  const reachOf = (count: number) => Math.log((of(count)?.hi ?? 0) / (of(count)?.center ?? 1));
  // The shipped prior: 0.75 % with two degrees of freedom, whose t is 4.302653.
  expect(reachOf(1)).toBeCloseTo(4.302653 * 0.0075, 6);
  // The variance of 0.1, 0.2 and 0.3 is 0.1², so far above the prior's that nothing is borrowed: two degrees.
  expect(Math.log(of(3)?.center ?? 0)).toBeCloseTo(0.2, 12);
  expect(reachOf(3)).toBeCloseTo((4.302653 * 0.1) / Math.sqrt(3), 6);
});

test('of a target that stands already the epochs count from the third on', () => {
  const blocks = [0.1, 0.2, 0.3].map((change, epoch) =>
    blockInTest(epoch, 'maximum', blockCpu(100, 100 * Math.exp(change)), { epoch }),
  );
  const event = describeBlock(blocks[2] as Block, blocks, { ...known, target: 'origins' });
  expect(event).toMatchObject({ interval: { center: expect.any(Number) } });
});

const windowArm = { transactions: 1, cpuUs: 1, medianUs: 1, perS: null };
const windowArms = { baseline: windowArm, comparison: windowArm, twin: windowArm };

/** Protects how errors are grouped and worded. */

const names = { baseline: 'X25519', comparison: 'X25519MLKEM768' };
const group: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'unexpected_status',
  detail: 'answered 500 instead of 200',
  count: 31,
};
const blockOf = (...slots: [Arm, ...ErrorGroup[]][]) =>
  ({ slots: slots.map(([arm, ...errors]) => ({ arm, load: { errors } })) }) as unknown as Block;
const refused = { ...group, name: names.comparison };
const late = { ...refused, step: null, outcome: 'timed_out' as const, detail: 'no answer', count: 1 };

test('errors are reported by their largest group, with the name of its side', () => {
  expect(describeErrors([refused])).toBe('X25519MLKEM768, Search: answered 500 instead of 200 (31 times)');
  expect(describeErrors([late])).toBe('X25519MLKEM768: no answer (once)');
  expect(describeErrors([late, refused])).toBe(
    'X25519MLKEM768, Search: answered 500 instead of 200 (31 times), and 1 other kind of error',
  );
  expect(describeErrors([late, refused, { ...late, name: names.baseline }])).toMatch(
    /, and 2 other kinds of error$/,
  );
  expect(describeErrors([])).toBe('no answer');
});

test('groups that are alike on a side are added, the twin is the baseline, and the largest comes first', () => {
  const { transport: _, ...kept } = group;
  const other = { ...group, step: 'Home', count: 5 };
  const blocks = [
    blockOf(['baseline', group], ['comparison', group], ['twin', other]),
    blockOf(['comparison', { ...group, count: 9 }], ['twin', { ...group, count: 2 }]),
  ];
  expect(errorsOf(blocks, names)).toEqual([
    { ...kept, side: 'comparison', name: 'X25519MLKEM768', count: 40 },
    { ...kept, side: 'baseline', name: 'X25519', count: 33 },
    { ...kept, side: 'baseline', name: 'X25519', step: 'Home', count: 5 },
  ]);
  expect(errorsOf([], names)).toEqual([]);
});
