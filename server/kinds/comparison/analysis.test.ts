/** Protects the figures of a run: deltas, intervals, outcomes and refusals. */
import { describe, expect, test } from 'vitest';
import { type Arm, bySide } from '../../../shared/base/transport.ts';
import type { Block, BlockRatio, DropReason } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import {
  blockInTest,
  failed,
  histogramOf,
  percentilesInTest,
  samplesSaying,
} from '../../testing/block-in-test.ts';
import { samplePlan } from '../../testing/sample-plan.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { type Analysis, type AnalysisFacts, analyse, lookAtHeadline } from './analysis.ts';
import { compareMetric, soundBlocksOf, surroundingsOf } from './compared-metric.ts';
import { refusalsOf } from './refusals.ts';

const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const finished: AnalysisFacts = { finished: true, ownTwin: true, plan: samplePlan };

type Change = {
  comparison: number;
  twin?: number;
  /** Each launch is so much farther from `comparison` than the one before, in the logarithm: −1, 0 and 1 for three. */
  spread?: number;
  epochs?: number;
  /** Transactions of a tail, in each slot. */
  transactions?: number;
};

const points: readonly OperatingPoint[] = ['lockstep', 'maximum', 'steady'];

/** On the comparison arm everything costs `comparison` times as much, whatever the machine drifts. */
function runOf(
  launches: number,
  { comparison, twin = 1, spread = 0, epochs = 1, transactions }: Change,
): Block[] {
  return Array.from({ length: launches * epochs * points.length }, (_, index) => {
    const epoch = Math.floor(index / points.length);
    const launch = Math.floor(epoch / epochs);
    const own = comparison * Math.exp(spread * (launch - (launches - 1) / 2));
    const costs: Record<Arm, number> = { baseline: 1, comparison: own, twin };
    const kind = points[index % points.length] ?? 'lockstep';
    const partsOf = (arm: Arm) => ({
      values: { ...valuesAt(kind, costs[arm] * (1 + epoch / 10)), memory_growth: 1e6 * costs[arm] },
      load: {
        latencyUs: percentilesInTest(1000, transactions ?? 2000),
        latencyHistogram: histogramOf(Array(10).fill(1000 * costs[arm])),
      },
    });
    return blockInTest(index, kind, partsOf, { launch, epoch: epoch % epochs });
  });
}

function valuesAt(kind: OperatingPoint, cost: number): Partial<Record<MetricId, number>> {
  if (kind === 'maximum') return { throughput: 400 / cost, cpu_at_load: 100 * cost };
  return kind === 'lockstep'
    ? { cpu_lone: 200 * cost, latency_p50: 1000 * cost, latency_p99: 3000 * cost }
    : { latency_p99: 9000 * cost, cpu_utilization: 20 * cost };
}

function rowOf({ metrics }: Analysis, id: MetricId): MetricComparison {
  const row = metrics.find((metric) => metric.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

function spoil(blocks: Block[], indices: number[], reasons: DropReason[] = failed): Block[] {
  return blocks.map((block) => (indices.includes(block.index) ? { ...block, reasons } : block));
}

const primaries = ['cpu_at_load', 'throughput', 'latency_p50'] as const;
/** Student's 95 % quantile with four degrees of freedom: two from three launches, two from the shipped prior. */
const t4 = 2.776445;

describe('the delta table', () => {
  test('has a row for each metric, in the order of the registry', () => {
    expect(analyse([], finished).metrics.map(({ id }) => id)).toEqual([...metricIds]);
  });

  test('says overhead when everything costs a fifth more, whatever the machine drifts', () => {
    const analysis = analyse(runOf(3, { comparison: 1.2 }), finished);
    const cpu = rowOf(analysis, 'cpu_at_load');
    expect(cpu).toMatchObject({ outcome: 'overhead', reasons: [], unit: 'us' });
    expect(cpu.ratio?.center).toBeCloseTo(1.2, 12);
    expect(cpu.twinRatio?.center).toBe(1);
    // The geometric mean of 100, 110 and 120.
    const baseline = Math.cbrt(100 * 110 * 120);
    expect(cpu.baseline?.center).toBeCloseTo(baseline, 9);
    expect(cpu.comparison?.center).toBeCloseTo(1.2 * baseline, 9);
    expect(cpu.delta?.center).toBeCloseTo(0.2 * baseline, 9);
    const throughput = rowOf(analysis, 'throughput');
    expect(throughput.outcome).toBe('overhead');
    expect(throughput.ratio?.center).toBeCloseTo(1 / 1.2, 12);
    expect(analysis).toMatchObject({ refusal: null, warnings: [] });
  });

  test('has an interval over launches, whose variance borrows from the shipped one', () => {
    const { ratio, pairs, launches } = rowOf(
      analyse(runOf(3, { comparison: 1.2, spread: 0.02, epochs: 2 }), finished),
      'cpu_at_load',
    );
    // Shifts −0.02, 0 and 0.02 have a variance of 0.02², the shipped prior one of 0.0075².
    const reach = t4 * Math.sqrt((2 * 0.0075 ** 2 + 2 * 0.02 ** 2) / 4 / 3);
    expect(ratio?.center).toBeCloseTo(1.2, 12);
    expect(ratio?.lo).toBeCloseTo(1.2 * Math.exp(-reach), 7);
    expect(ratio?.hi).toBeCloseTo(1.2 * Math.exp(reach), 7);
    expect(pairs.map(({ block }) => block)).toEqual([1, 4, 7, 10, 13, 16]);
    expect(pairs[0]?.value).toBeCloseTo(1.2 * Math.exp(-0.02), 5);
    expect(pairs[0]?.twinValue).toBe(1);
    expect(launches.map(({ launch }) => launch)).toEqual([0, 1, 2]);
    expect(launches[2]?.ratio.center).toBeCloseTo(1.2 * Math.exp(0.02), 12);
  });

  test('adds up: the difference is that of the two sides, with an interval of what they share', () => {
    const { baseline, comparison, delta } = rowOf(
      analyse(runOf(3, { comparison: 1.2, spread: 0.01 }), finished),
      'cpu_at_load',
    );
    expect(delta?.center).toBeCloseTo((comparison?.center ?? 0) - (baseline?.center ?? 0), 9);
    // Baselines of 100, 110 and 120 are 18 % apart; both sides drift together.
    const halfWidth = ((delta?.hi ?? 0) - (delta?.lo ?? 0)) / 2;
    expect(halfWidth).toBeLessThan(0.3 * (delta?.center ?? 0) + 0.05 * (baseline?.center ?? 0));
    expect(delta?.lo).toBeGreaterThan(0);
  });

  test('has no memory of two sides that are one process', () => {
    const run = sampleRun({ launches: 3 });
    const launches = run.launches.map((launch) => ({
      ...launch,
      pids: { baseline: 7, comparison: 7, twin: 7 },
    }));
    const rows = (of: typeof run.launches) =>
      analyse(run.blocks, { ...finished, launches: of }).metrics.filter(({ id }) => id.startsWith('memory'));
    expect(rows(launches).map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual(
      Array(2).fill([
        'refused',
        'Both sides are served by one process, so their memory cannot be told apart.',
      ]),
    );
    expect(rows(run.launches).map(({ outcome }) => outcome)).not.toContain('refused');
  });

  test('swapping the sides inverts every ratio and its interval', () => {
    const blocks = sampleRun({ launches: 3 }).blocks;
    const swapped = blocks.map((block) => ({
      ...block,
      ratios: {},
      slots: block.slots.flatMap((slot) =>
        slot.arm === 'twin'
          ? []
          : [{ ...slot, arm: slot.arm === 'baseline' ? 'comparison' : 'baseline' } as const],
      ),
    }));
    const straight = blocks.map((block) => ({
      ...block,
      ratios: {},
      slots: block.slots.filter(({ arm }) => arm !== 'twin'),
    }));
    const [one, other] = [analyse(straight, finished), analyse(swapped, finished)];
    for (const { id, ratio, delta } of one.metrics) {
      const there = rowOf(other, id);
      expect(there.ratio?.lo ?? 1, id).toBeCloseTo(1 / (ratio?.hi ?? 1), 9);
      expect(there.ratio?.center ?? 1, id).toBeCloseTo(1 / (ratio?.center ?? 1), 9);
      expect((there.delta?.center ?? 0) / (delta?.center || -1), id).toBeCloseTo(delta?.center ? -1 : 0, 9);
    }
  });

  test('says no overhead when both sides are alike, to the last bit', () => {
    const analysis = analyse(runOf(3, { comparison: 1 }), finished);
    for (const id of primaries) {
      expect(rowOf(analysis, id), id).toMatchObject({ outcome: 'no_overhead', ratio: { center: 1 } });
    }
  });

  test('takes what the samples of a block say before what its slots say, but for those set aside', () => {
    const ratio: BlockRatio = { value: 1.5, twinValue: 1.01, allValue: 1.6, logError: 0.01 };
    const blocks = runOf(3, { comparison: 1.2 }).map((block) => {
      if (block.kind !== 'maximum') return block;
      const [sample, other] = [1.5, 1.6].flatMap((value) =>
        samplesSaying({ cpu_at_load: { ...ratio, value } }, block.slots),
      );
      if (sample === undefined || other === undefined) throw new Error('a ratio has a sample');
      const windows = [sample, sample, { ...other, aside: true }];
      return { ...block, windows, ratios: { cpu_at_load: ratio } };
    });
    const { baseline, comparison, ...cpu } = rowOf(analyse(blocks, finished), 'cpu_at_load');
    expect(cpu.ratio?.center).toBeCloseTo(1.5, 12);
    expect(cpu.twinRatio?.center).toBeCloseTo(1.01, 12);
    expect(cpu.ratioOfAll?.center).toBeCloseTo((1.5 * 1.5 * 1.6) ** (1 / 3), 12);
    expect((comparison?.center ?? 0) / (baseline?.center ?? 1)).toBeCloseTo(1.5, 12);
    expect(cpu.pairs.map(({ value, aside = false }) => [value, aside]).slice(0, 3)).toEqual([
      [1.5, false],
      [1.5, false],
      [1.6, true],
    ]);
    expect(cpu.launches[0]?.ratio.center).toBeCloseTo(1.5, 12);
    expect(rowOf(analyse(blocks, finished), 'latency_p50').ratioOfAll).toBeNull();
  });

  test('sums memory growth over a launch, in blocks of every kind', () => {
    const growth = rowOf(analyse(runOf(2, { comparison: 3, epochs: 2 }), finished), 'memory_growth');
    // Two epochs of three blocks.
    expect(growth).toMatchObject({ outcome: 'overhead', ratio: null, launches: [] });
    expect(growth.baseline).toEqual({ center: 6e6, lo: 6e6, hi: 6e6 });
    expect(growth.delta).toEqual({ center: 12e6, lo: 12e6, hi: 12e6 });
    const ofOne = rowOf(analyse(runOf(1, { comparison: 3, epochs: 2 }), finished), 'memory_growth');
    expect(ofOne.delta?.center).toBeCloseTo(12e6, 3);
  });

  test('reads tails under open load where there is one, from the histograms of a whole launch', () => {
    const row = (blocks: Block[]) => rowOf(analyse(blocks, finished), 'latency_p99');
    const blocks = runOf(2, { comparison: 1.2, epochs: 2 });
    expect(row(blocks).pairs.map(({ block }) => block)).toEqual([2, 5, 8, 11]);
    expect(row(blocks).baseline?.center).toBeCloseTo(1000, 9);
    const withoutOpenLoad = blocks.filter(({ kind }) => kind !== 'steady');
    expect(row(withoutOpenLoad).pairs.map(({ block }) => block)).toEqual([0, 3, 6, 9]);
  });

  test('of one launch is over its epochs, and says so', () => {
    const analysis = analyse(runOf(1, { comparison: 1.2, epochs: 3 }), finished);
    expect(rowOf(analysis, 'cpu_at_load')).toMatchObject({ outcome: 'overhead' });
    expect(analysis.warnings).toEqual([expect.stringMatching(/measured in one process/)]);
  });
});

describe('a spoiled block', () => {
  const blocks = runOf(4, { comparison: 1.2 });

  test('takes no part in anything', () => {
    const wild = { values: { cpu_at_load: 1e6, throughput: 1, memory_growth: 1e9 } };
    const more = points.map((kind, nth) =>
      blockInTest(12 + nth, kind, () => wild, { launch: 4, reasons: failed }),
    );
    expect(analyse([...blocks, ...more], finished).metrics).toEqual(analyse(blocks, finished).metrics);
  });

  test('for one group counts for the others', () => {
    const unverified: DropReason = {
      code: 'cpu_unverified',
      message: 'Two sources disagree.',
      spoils: 'CPU',
    };
    const analysis = analyse(spoil(blocks, [1, 4, 7, 10], [unverified]), finished);
    expect(rowOf(analysis, 'cpu_at_load')).toMatchObject({
      outcome: 'refused',
      reasons: ['All measurements of it were discarded. Two sources disagree.'],
    });
    expect(rowOf(analysis, 'latency_p50')).toEqual(rowOf(analyse(blocks, finished), 'latency_p50'));
    expect(analysis.refusal).toBeNull();
  });

  test('of more than a fifth is warned of', () => {
    const epochs = runOf(5, { comparison: 1.2, epochs: 1 });
    expect(analyse(spoil(epochs, [0, 1, 2]), finished).warnings).toEqual([]);
    expect(analyse(spoil(epochs, [0, 1, 2, 3]), finished)).toMatchObject({
      warnings: ['4 of 15 parts of the run were discarded, most of them because requests failed.'],
      refusal: null,
    });
  });

  test('of more than two fifths refuses the run with every row of it', () => {
    const epochs = runOf(5, { comparison: 1.2 });
    expect(analyse(spoil(epochs, [0, 1, 2, 3, 4, 5]), finished).refusal).toBeNull();
    const { refusal, metrics } = analyse(spoil(epochs, [0, 1, 2, 3, 4, 5, 6]), finished);
    expect(refusal).toEqual({
      code: 'target_errors',
      detail:
        '7 of 15 parts of the run were discarded (at most 40 % may be), most of them because requests failed.',
      advice: expect.stringContaining('lower the rate'),
    });
    expect(new Set(metrics.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
  });
});

describe('a refusal', () => {
  test('of a run that did not finish is on every row, with the figures beside it', () => {
    const analysis = analyse(runOf(3, { comparison: 1.2 }), { ...finished, finished: false });
    for (const { outcome, reasons } of analysis.metrics) {
      expect(outcome).toBe('refused');
      expect(reasons).toEqual(['The run did not finish, so there is no conclusion.']);
    }
    expect(rowOf(analysis, 'cpu_at_load').ratio?.center).toBeCloseTo(1.2, 12);
    expect(analysis.refusal).toBeNull();
  });

  test('of CPU says that a program is not visible from here, and without certainty it is a warning', () => {
    const run = runOf(3, { comparison: 1.2 });
    const hidden = analyse(run, { ...finished, unseen: { cores: 0.48, share: 0.9 } });
    expect(rowOf(hidden, 'cpu_at_load')).toMatchObject({
      outcome: 'refused',
      reasons: [
        expect.stringMatching(/^A program that is not visible from here works .* 0\.48 cores .* 90 %/),
      ],
    });
    expect(rowOf(hidden, 'throughput').outcome).not.toBe('refused');
    const open = analyse(run, { ...finished, unseen: { cores: 1.9, share: null } });
    expect(rowOf(open, 'cpu_at_load').outcome).toBe('overhead');
    expect(open.warnings).toEqual([
      expect.stringMatching(/^Programs that are not visible from here kept 1\.9 cores/),
    ]);
    expect(analyse(run, { ...finished, unseen: { cores: 0.049, share: null } }).warnings).toEqual([]);
  });

  test('of a 99th percentile under 1,000 transactions a side counts transactions, not requests', () => {
    // A slot a side in each launch; each has 300 requests.
    const few = analyse(runOf(3, { comparison: 1.2, transactions: 999 }), finished);
    expect(rowOf(few, 'latency_p99')).toMatchObject({
      outcome: 'refused',
      reasons: [
        'A 99th percentile needs 1,000 transactions per side in each start, but there were only 999. Measure longer.',
      ],
    });
    const enough = analyse(runOf(3, { comparison: 1.2, transactions: 1000 }), finished);
    expect(rowOf(enough, 'latency_p99').outcome).toBe('overhead');
  });

  test('is not what a plan leaves out: without open load its metrics are no rows', () => {
    const blocks = runOf(3, { comparison: 1.2 }).filter(({ kind }) => kind !== 'steady');
    const quick = { ...samplePlan, length: 'first', openMs: null } as const;
    const analysis = analyse(blocks, { ...finished, plan: quick });
    const ids = analysis.metrics.map(({ id }) => id);
    for (const id of [
      'cpu_utilization',
      'cpu_half_load',
      'disk_bytes_per_s',
      'network_bytes_per_s',
    ] as const) {
      expect(ids).not.toContain(id);
    }
    expect(rowOf(analysis, 'latency_p99').outcome).toBe('overhead');
  });

  test('of CPU and memory says that the process is not known', () => {
    const blocks = runOf(3, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => {
        const { cpu_at_load: _cpu, cpu_utilization: _share, memory_growth: _growth, ...values } = slot.values;
        return { ...slot, target: null, values };
      }),
    }));
    const analysis = analyse(blocks, finished);
    for (const id of ['cpu_at_load', 'cpu_utilization', 'memory_growth', 'disk_bytes_per_s'] as const) {
      expect(rowOf(analysis, id), id).toMatchObject({ outcome: 'refused', baseline: null, delta: null });
      expect(rowOf(analysis, id).reasons[0], id).toMatch(/process was not found/);
    }
    expect(rowOf(analysis, 'throughput').outcome).toBe('overhead');
  });

  /** Per side: the field that the checks saw, and the application's time in the blocks. */
  type Timing = { field?: string; us: number | null };
  const timingReason = (baseline: Timing, comparison: Timing) => {
    const of = { baseline, comparison, twin: baseline };
    const blocks = runOf(3, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => {
        const { us } = of[slot.arm];
        const values = us === null ? {} : { execution_time: us };
        return {
          ...slot,
          load: { ...slot.load, executionTimeUs: us },
          values: { ...slot.values, ...values },
        };
      }),
    }));
    const { preflight } = sampleRun();
    if (preflight === null) throw new Error('no checks');
    const sides = bySide((side) => ({
      ...preflight.sides[side],
      responses: preflight.sides[side].responses.map((each) => ({
        ...each,
        serverTiming: of[side].field !== undefined,
        ...(of[side].field === 'app;dur=2' ? {} : { otherTiming: of[side].field }),
      })),
    }));
    const row = rowOf(analyse(blocks, { ...finished, checked: { sides, labels } }), 'execution_time');
    return row.reasons[0];
  };
  const [silent, heard] = [{ us: null }, { field: 'app;dur=2', us: 2000 }];
  const other = { field: 'webapp;dur=91.5', us: null };
  test.each<[Timing, Timing, string]>([
    [silent, silent, 'The application sends no Server-Timing header. The'],
    [silent, heard, 'HTTP sends no Server-Timing header. The'],
    [heard, silent, 'HTTPS sends no Server-Timing header. The'],
    [
      other,
      other,
      'The application sends “Server-Timing: webapp;dur=91.5”, which contains no metric app with a dur that is a time. The',
    ],
    [
      heard,
      { ...heard, us: null },
      'HTTPS sent Server-Timing with app;dur to the check before the run, but not under load. The',
    ],
    [
      { ...heard, us: 0 },
      heard,
      'Server-Timing reports app;dur as 0 throughout, and nothing can be compared with 0.',
    ],
  ])('of the execution time says what the sides send: %o, %o', (baseline, comparison, reason) => {
    expect(timingReason(baseline, comparison)?.startsWith(reason)).toBe(true);
  });

  test('of what the target uses does not say that its process was not found when it was read', () => {
    const reasonWith = (change: (slot: Slot) => Slot, id: MetricId) => {
      const blocks = runOf(3, { comparison: 1.2 }).map((block) => ({
        ...block,
        slots: block.slots.map(change),
      }));
      return rowOf(analyse(blocks, finished), id).reasons[0];
    };
    const isRead = (slot: Slot) => slot.target !== null;
    expect(
      runOf(1, { comparison: 1.2 })
        .flatMap(({ slots }) => slots)
        .every(isRead),
    ).toBe(true);
    const withTarget = (slot: Slot, change: object) => ({
      ...slot,
      target: slot.target === null ? null : { ...slot.target, ...change },
    });
    const unseen = reasonWith((slot) => withTarget(slot, { diskReadBytes: null }), 'disk_bytes_per_s');
    expect(unseen).toMatch(/^The process was read, but the kernel does not show its disk use/);
    const idle = ({ cpu_at_load: _, ...values }: Slot['values']) => values;
    const resting = reasonWith(
      (slot) => ({ ...withTarget(slot, { cpuUs: 0 }), values: idle(slot.values) }),
      'cpu_at_load',
    );
    expect(resting).toMatch(/^The process was read, but it used no CPU for seconds under load/);
    const oneSided = reasonWith(
      (slot) => (slot.arm === 'comparison' ? { ...slot, target: null, values: idle(slot.values) } : slot),
      'cpu_at_load',
    );
    expect(oneSided).toMatch(/^The process of the comparison side was not found/);
  });

  /** Each side's CPU of 250 ms, µs, and its threads at work. */
  const withUse = (used: Partial<Record<Arm, number>>, busyThreads?: number) =>
    runOf(3, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => {
        const threads = busyThreads === undefined ? {} : { busyThreads };
        const target =
          slot.target === null ? null : { ...slot.target, cpuUs: used[slot.arm] ?? 0, ...threads };
        return { ...slot, target };
      }),
    }));
  const throughputOf = (blocks: Block[], cores: number | null) =>
    rowOf(analyse(blocks, { ...finished, loaded: { cores, labels } }), 'throughput');

  test('of throughput names the busy cores of both sides, unless both sides used what they can', () => {
    const half = withUse({ baseline: 230_000, comparison: 125_000 });
    expect(throughputOf(half, 1)).toMatchObject({
      outcome: 'refused',
      reasons: [
        'The server was not busy on both sides, so this is not its throughput: of 1 core that it can use, HTTP used 0.92 and HTTPS 0.50. Compare CPU, or try more users (--users) or generator processes (--generators).',
      ],
    });
    const full = withUse({ baseline: 230_000, comparison: 240_000 });
    expect(throughputOf(full, 1).outcome).toBe('overhead');
    expect(throughputOf(full, 2).outcome).toBe('refused');
  });

  test('of throughput counts no more cores than threads at work', () => {
    const full = (threads: number) => withUse({ baseline: 230_000, comparison: 240_000 }, threads);
    expect(throughputOf(full(1), 4).outcome).toBe('overhead');
    expect(throughputOf(full(1), null).outcome).toBe('overhead');
    expect(throughputOf(full(2), 4).outcome).toBe('refused');
    // The thread of each connection has already ended when threads are read.
    expect(throughputOf(full(0), 1).outcome).toBe('overhead');
  });

  test('of throughput rests on the generator where the cores of the server are not known', () => {
    const busy = runOf(3, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => ({ ...slot, load: { ...slot.load, generatorBusiestUs: 245_000 } })),
    }));
    const analysis = analyse(busy, finished);
    expect(rowOf(analysis, 'throughput')).toMatchObject({
      outcome: 'refused',
      reasons: [expect.stringMatching(/^The load generator was the limit/)],
    });
    expect(rowOf(analysis, 'cpu_at_load').outcome).toBe('overhead');
  });

  test('is none for a twin that differs: half of its difference widens the interval, which may still be certain', () => {
    const rowWith = (twin: number) =>
      rowOf(analyse(runOf(3, { comparison: 1.2, twin }), finished), 'cpu_at_load');
    expect(rowWith(1).precision?.widenings).toEqual([]);
    const off = rowWith(1.1);
    expect(off.precision?.widenings).toEqual([{ name: 'twin', by: expect.closeTo(Math.log(1.1) / 2, 9) }]);
    expect(Math.log(off.ratio?.hi ?? 0) - Math.log(off.ratio?.center ?? 1)).toBeCloseTo(
      Math.log(rowWith(1).ratio?.hi ?? 0) - Math.log(1.2) + Math.log(1.1) / 2,
      9,
    );
    expect(off.outcome).toBe('overhead');
  });

  test('of too few blocks of a metric without a prior says how many an interval needs', () => {
    const row = rowOf(analyse(runOf(1, { comparison: 1.2, epochs: 2 }), finished), 'cpu_utilization');
    expect(row).toMatchObject({ outcome: 'refused', ratio: null });
    expect(row.reasons).toEqual([
      'Measured only 2 times, in one start, so there is no interval. Measure longer.',
    ]);
    expect(row.baseline?.center).toBeCloseTo(20 * Math.sqrt(1 * 1.1), 9);
  });

  test('of too few samples says how many an outcome needs', () => {
    const blocks = runOf(2, { comparison: 1.2 });
    const metric = metricOf('cpu_at_load');
    const reasonsOf = (tooFewSamples: number | null) => {
      const compared = compareMetric(metric, soundBlocksOf(metric, blocks), surroundingsOf(blocks));
      return refusalsOf(metric, { ...compared, tooFewSamples }, blocks, samplePlan);
    };
    expect(reasonsOf(6)).toEqual([
      'There are 6 samples of this metric. An outcome needs 10. Measure longer.',
    ]);
    expect(reasonsOf(1)[0]).toMatch(/^There is one sample of/);
    expect(reasonsOf(null)).toEqual([]);
  });

  test('of one primary metric makes none of the others pass, unless the run cannot measure it', () => {
    // A mean of 20 % over launches 5 % apart has p = 0.024.
    const blocks = runOf(3, { comparison: 1.2, spread: 0.05 });
    const words = (of: Block[]) => primaries.map((id) => rowOf(analyse(of, finished), id).outcome);
    expect(words(blocks)).toEqual(['overhead', 'overhead', 'overhead']);
    const mapSlots = (map: (slot: Slot) => Slot) =>
      blocks.map((block) => ({ ...block, slots: block.slots.map(map) }));
    const withoutCpu = mapSlots(({ values: { cpu_at_load: _, ...values }, ...slot }) => ({
      ...slot,
      values,
    }));
    expect(words(withoutCpu)).toEqual(['refused', 'overhead', 'overhead']);
    const limited = mapSlots((slot) => ({ ...slot, load: { ...slot.load, generatorBusiestUs: 245_000 } }));
    expect(words(limited)).toEqual(['overhead', 'refused', 'not_tested']);
  });
});

test('a run without a twin of its own says what the baseline’s listener cannot show', () => {
  const { warnings } = analyse(runOf(3, { comparison: 1 }), { ...finished, ownTwin: false });
  expect(warnings).toEqual([expect.stringMatching(/^The control uses the address of the first side/)]);
});

describe('a look at the headline', () => {
  test('has the samples and the half-width of CPU at load', () => {
    const { samples, halfWidth } = lookAtHeadline(runOf(3, { comparison: 1.2, spread: 0.02 }));
    const reach = t4 * Math.sqrt((2 * 0.0075 ** 2 + 2 * 0.02 ** 2) / 4 / 3);
    expect(samples).toBe(runOf(3, { comparison: 1.2 }).filter(({ kind }) => kind === 'maximum').length);
    expect(halfWidth).toBeCloseTo(1.2 * Math.sinh(reach), 7);
  });

  test('has the prior’s width alone after one launch', () => {
    // Student's t with the two degrees of the shipped prior.
    const { halfWidth } = lookAtHeadline(runOf(1, { comparison: 1.2 }));
    expect(halfWidth).toBeCloseTo(1.2 * Math.sinh(4.302653 * 0.0075), 6);
  });

  test('has no width while no block was kept', () => {
    const blocks = runOf(3, { comparison: 1.2 });
    const all = blocks.map(({ index }) => index);
    expect(lookAtHeadline(spoil(blocks, all)).halfWidth).toBe(Number.POSITIVE_INFINITY);
    expect(lookAtHeadline([]).halfWidth).toBe(Number.POSITIVE_INFINITY);
  });
});

test('nothing is set aside where fewer than ten samples would be left', () => {
  const run = sampleRun({ launches: 2, epochs: 1 });
  const windows = run.blocks.filter(({ kind }) => kind === 'maximum').flatMap((block) => block.windows);
  expect(windows).toHaveLength(12);
  expect(windows.filter(({ aside }) => aside).length).toBeGreaterThan(2);
  const cpu = run.metrics.find(({ id }) => id === 'cpu_at_load');
  expect(cpu?.outcome).toBe('overhead');
  expect(cpu?.pairs.filter(({ aside }) => aside === true)).toEqual([]);
});
