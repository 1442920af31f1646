/** Protects the figures of a run: deltas, intervals, outcomes and refusals. */
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../shared/block.ts';
import type { MetricComparison } from '../../../../shared/comparison.ts';
import { type MetricId, metricIds } from '../../../../shared/metric.ts';
import type { Arm } from '../../../../shared/transport.ts';
import { blockInTest, disturbed } from '../../../testing/block-in-test.ts';
import { type Analysis, type AnalysisFacts, analyse, halfWidthsOf } from './analyse.ts';

const finished: AnalysisFacts = { finished: true, ownTwin: true };

type Factors = { comparison: number; twin?: number; spread?: number; requests?: number };

/**
 * `count` blocks, steady and maximum in turn. On the comparison arm everything costs `comparison` times as much, and from
 * pair to pair that swings by powers of `exp(spread)` around it: −3, −2 … 3 for seven pairs.
 */
function blocksWith(count: number, { comparison, twin = 1, spread = 0, requests = 300 }: Factors): Block[] {
  const pairs = count / 2;
  return Array.from({ length: count }, (_, index) => {
    const swing = Math.exp(spread * (Math.floor(index / 2) - (pairs - 1) / 2));
    const costs: Record<Arm, number> = { baseline: 1, comparison: comparison * swing, twin };
    const drift = 1 + index / 10;
    return blockInTest(index, index % 2 === 0 ? 'steady' : 'maximum', (arm) => {
      const cost = costs[arm] * drift;
      const values =
        index % 2 === 0
          ? { cpu_per_transaction: 100 * cost, latency_p50: 1000 * cost, latency_p99: 3000 * cost }
          : { throughput: 400 / cost };
      return { values: { ...values, memory_growth: 1000 * costs[arm] }, load: { requests } };
    });
  });
}

function rowOf({ metrics }: Analysis, id: MetricId): MetricComparison {
  const row = metrics.find((metric) => metric.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row;
}

function drop(blocks: Block[], indices: number[]): Block[] {
  return blocks.map((block) => (indices.includes(block.index) ? { ...block, reasons: disturbed } : block));
}

describe('the delta table', () => {
  test('has a row for each metric, in the order of the registry', () => {
    expect(analyse([], finished).metrics.map(({ id }) => id)).toEqual([...metricIds]);
  });

  test('says overhead when everything costs a fifth more, whatever the machine drifts', () => {
    const analysis = analyse(blocksWith(14, { comparison: 1.2 }), finished);
    const cpu = rowOf(analysis, 'cpu_per_transaction');
    expect(cpu).toMatchObject({ outcome: 'overhead', reasons: [], unit: 'us' });
    expect(cpu.ratio?.center).toBeCloseTo(1.2, 12);
    expect(cpu.nullRatio).toEqual({ center: 1, lo: 1, hi: 1 });
    // The middle block of seven has drifted to 1.6.
    expect(cpu.baseline?.center).toBeCloseTo(160, 9);
    expect(cpu.comparison?.center).toBeCloseTo(192, 9);
    expect(cpu.delta?.center).toBeCloseTo(32, 9);
    const throughput = rowOf(analysis, 'throughput');
    expect(throughput.outcome).toBe('overhead');
    expect(throughput.ratio?.center).toBeCloseTo(1 / 1.2, 12);
    expect(analysis.noiseFloor).toEqual({
      throughput: 0.01,
      latency_p50: 0.01,
      latency_p99: 0.01,
      cpu_per_transaction: 0.01,
    });
    expect(analysis.refusal).toBeNull();
    expect(analysis.warnings).toEqual([]);
  });

  test('has the interval of the signed ranks: of seven blocks, the second smallest and largest Walsh average', () => {
    // Shifts −0.03 … 0.03 in the logarithm: the second smallest average of two is (−0.03 − 0.02) / 2.
    const { ratio, pairs } = rowOf(
      analyse(blocksWith(14, { comparison: 1.2, spread: 0.01 }), finished),
      'cpu_per_transaction',
    );
    expect(ratio?.center).toBeCloseTo(1.2, 12);
    expect(ratio?.lo).toBeCloseTo(1.2 * Math.exp(-0.025), 12);
    expect(ratio?.hi).toBeCloseTo(1.2 * Math.exp(0.025), 12);
    expect(pairs.map(({ block }) => block)).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect(pairs[0]?.value).toBeCloseTo(1.2 * Math.exp(-0.03), 12);
    expect(pairs[0]?.nullValue).toBe(1);
  });

  test('says no overhead when both sides are alike', () => {
    const analysis = analyse(blocksWith(14, { comparison: 1 }), finished);
    for (const id of ['cpu_per_transaction', 'throughput', 'latency_p50'] as const) {
      expect(rowOf(analysis, id), id).toMatchObject({
        outcome: 'no_overhead',
        ratio: { center: 1, lo: 1, hi: 1 },
      });
    }
  });

  test('takes a twin that is 4 % off as the noise floor, so 3 % more on the other side is no overhead', () => {
    const analysis = analyse(blocksWith(14, { comparison: 1.03, twin: 1.04 }), finished);
    expect(analysis.noiseFloor.cpu_per_transaction).toBeCloseTo(0.04, 12);
    expect(rowOf(analysis, 'cpu_per_transaction').outcome).toBe('no_overhead');
  });

  test('sums memory growth over all kept slots, and its difference with it', () => {
    const growth = rowOf(analyse(blocksWith(14, { comparison: 3 }), finished), 'memory_growth');
    // 14 blocks, two slots an arm.
    expect(growth.baseline).toEqual({ center: 28_000, lo: 28_000, hi: 28_000 });
    expect(growth.comparison?.center).toBe(84_000);
    expect(growth.delta).toEqual({ center: 56_000, lo: 56_000, hi: 56_000 });
    expect(growth.ratio).toBeNull();
  });
});

describe('dropped blocks', () => {
  test('take no part', () => {
    const spoilt = blocksWith(16, { comparison: 1.2 }).map((block) =>
      block.index < 14 ? block : { ...blockInTest(block.index, block.kind, wild), reasons: disturbed },
    );
    const { metrics, noiseFloor } = analyse(spoilt, finished);
    expect({ metrics, noiseFloor }).toEqual({
      metrics: analyse(spoilt.slice(0, 14), finished).metrics,
      noiseFloor: analyse(spoilt.slice(0, 14), finished).noiseFloor,
    });
  });

  test('of more than a fifth are warned of', () => {
    const blocks = blocksWith(20, { comparison: 1.2 });
    expect(analyse(drop(blocks, [0, 1, 2, 3]), finished).warnings).toEqual([]);
    expect(analyse(drop(blocks, [0, 1, 2, 3, 4]), finished)).toMatchObject({
      warnings: ['Disturbed: 5 of 20 blocks were dropped. Repeat the run on a quieter machine.'],
      refusal: null,
    });
  });

  test('of more than two fifths refuse the run with every row of it', () => {
    const blocks = blocksWith(20, { comparison: 1.2 });
    expect(analyse(drop(blocks, [0, 1, 2, 3, 4, 5, 6, 7]), finished).refusal).toBeNull();
    const { refusal, metrics } = analyse(drop(blocks, [0, 1, 2, 3, 4, 5, 6, 7, 8]), finished);
    expect(refusal).toEqual({
      code: 'too_disturbed',
      detail:
        '9 of 20 blocks were dropped (more than 40 % allows), most of them because other programs used the processor.',
    });
    expect(new Set(metrics.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
  });

  function wild() {
    return { values: { cpu_per_transaction: 1e6, throughput: 1, memory_growth: 1e9 } };
  }
});

describe('a refusal', () => {
  test('of a run that did not finish is on every row, with the figures beside it', () => {
    const analysis = analyse(blocksWith(14, { comparison: 1.2 }), { ...finished, finished: false });
    for (const { outcome, reasons } of analysis.metrics) {
      expect(outcome).toBe('refused');
      expect(reasons).toEqual(['The run did not finish, so nothing is concluded from it.']);
    }
    expect(rowOf(analysis, 'cpu_per_transaction').ratio?.center).toBeCloseTo(1.2, 12);
    expect(analysis.refusal).toBeNull();
  });

  test('of a 99th percentile under 10,000 requests a side says how many there were', () => {
    // Seven steady blocks, two slots a side.
    const few = analyse(blocksWith(14, { comparison: 1.2, requests: 714 }), finished);
    expect(rowOf(few, 'latency_p99')).toMatchObject({
      outcome: 'refused',
      reasons: [
        'A 99th percentile needs 10,000 requests a side; there were 9,996. A longer preset gives them.',
      ],
    });
    const enough = analyse(blocksWith(14, { comparison: 1.2, requests: 715 }), finished);
    expect(rowOf(enough, 'latency_p99').outcome).toBe('overhead');
  });

  test('of CPU, memory and disk says that the process is not known', () => {
    const blocks = blocksWith(14, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => {
        const { cpu_per_transaction: _cpu, memory_growth: _growth, ...values } = slot.values;
        return { ...slot, target: null, values };
      }),
    }));
    const analysis = analyse(blocks, finished);
    for (const id of [
      'cpu_per_transaction',
      'cpu_utilization',
      'memory_growth',
      'disk_bytes_per_s',
    ] as const) {
      expect(rowOf(analysis, id), id).toMatchObject({ outcome: 'refused', baseline: null, delta: null });
      expect(rowOf(analysis, id).reasons[0], id).toMatch(/process of the target is not known/);
    }
    expect(rowOf(analysis, 'execution_time').reasons[0]).toMatch(/no Server-Timing header/);
    expect(rowOf(analysis, 'throughput').outcome).toBe('overhead');
  });

  test('of throughput says that the generator was the limit', () => {
    const busy = blocksWith(14, { comparison: 1.2 }).map((block) => ({
      ...block,
      slots: block.slots.map((slot) => ({ ...slot, load: { ...slot.load, generatorBusiestUs: 245_000 } })),
    }));
    expect(rowOf(analyse(busy, finished), 'throughput')).toMatchObject({
      outcome: 'refused',
      reasons: [
        'The load generator was the limit, not the server: this is not the throughput of the server.',
      ],
    });
  });

  test('of a run whose listeners differ without TLS names the metric and by how much', () => {
    // 99 % needs eight blocks.
    expect(analyse(blocksWith(16, { comparison: 1.2, twin: 1.04 }), finished).refusal).toBeNull();
    expect(analyse(blocksWith(16, { comparison: 1.2, twin: 1.1 }), finished).refusal).toEqual({
      code: 'listeners_differ',
      detail:
        'Throughput: two identical listeners differ by 9.1 %, so a difference between the two sides cannot be put down to what they speak.',
    });
  });

  test('of too few blocks says how many an interval needs', () => {
    const row = rowOf(analyse(blocksWith(10, { comparison: 1.2 }), finished), 'cpu_per_transaction');
    expect(row).toMatchObject({ outcome: 'refused', ratio: null });
    expect(row.reasons).toEqual(['Only 5 of the blocks kept hold this metric; an interval needs 6.']);
  });
});

test('a run without a twin of its own says what its null arm cannot show', () => {
  const { warnings } = analyse(blocksWith(14, { comparison: 1 }), { finished: true, ownTwin: false });
  expect(warnings).toEqual([expect.stringMatching(/^The null arm is the baseline listener itself/)]);
});

describe('half-widths for the stopping rule', () => {
  test('are those of the intervals of the table', () => {
    const widths = halfWidthsOf(blocksWith(14, { comparison: 1.2, spread: 0.01 }));
    expect(widths.cpu_per_transaction).toBeCloseTo(1.2 * Math.sinh(0.025), 12);
    expect(widths.throughput).toBeCloseTo(Math.sinh(0.025) / 1.2, 12);
  });

  test('are null while there are too few blocks', () => {
    expect(halfWidthsOf(blocksWith(10, { comparison: 1.2 }))).toMatchObject({
      cpu_per_transaction: null,
      throughput: null,
    });
  });

  test('leave out a metric that no block holds, as it would hold the run up for nothing', () => {
    expect(Object.keys(halfWidthsOf(blocksWith(14, { comparison: 1.2 }))).sort()).toEqual([
      'cpu_per_transaction',
      'latency_p50',
      'throughput',
    ]);
  });
  test('hold the run up while no block was kept', () => {
    const dropped = blocksWith(14, { comparison: 1.2 }).map((block) => ({
      ...block,
      reasons: [{ code: 'late' as const, message: 'late' }],
    }));
    expect(Object.values(halfWidthsOf(dropped))).toContain(null);
  });
});
