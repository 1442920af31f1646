import * as hdr from 'hdr-histogram-js';
import type { Block } from '../../../shared/block.ts';
import type { Estimate, MetricComparison, Verdict } from '../../../shared/comparison.ts';
import type { OperatingPoint } from '../../../shared/load-profile.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/metric.ts';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printQuantity,
  scaleFor,
} from '../../../shared/quantity.ts';
import type { RunDocument } from '../../../shared/run.ts';
import type { LoadResult, Percentiles, Slot } from '../../../shared/slot.ts';
import { type Arm, transportOf } from '../../../shared/transport.ts';
import { sampleSurroundings } from './sample-surroundings.ts';

/**
 * A run with figures like those of a real one, made from a seed, for tests that need a document or a block before
 * anything was measured. Its medians are those of its slots.
 */
export function sampleRun({ seed = 7, blocksPerPoint = 6, slotMs = 500 } = {}): RunDocument {
  const random = mulberry(seed);
  const orders = ['ABNNBA', 'NBAABN', 'BANNAB', 'ANBBNA'];
  const blocks = Array.from({ length: blocksPerPoint * 2 }, (_, index) => {
    const kind: OperatingPoint = index % 2 === 0 ? 'steady' : 'maximum';
    return sampleBlock(index, kind, orders[index % orders.length] ?? 'ABNNBA', random, slotMs);
  });
  const disturbed = blocks.at(-2);
  disturbed?.reasons.push({
    code: 'foreign_cpu',
    message: 'Other processes used 31 % of the machine in slot 3; at most 15 % is accepted.',
  });
  const comparisons = metricIds.map((id) => compare(id, blocks));
  return { ...sampleSurroundings, verdict: verdictOf(comparisons), metrics: comparisons, blocks };
}

function verdictOf(comparisons: MetricComparison[]): Verdict {
  const cpu = comparisons.find(({ id }) => id === 'cpu_per_transaction');
  if (cpu?.delta == null || cpu.ratio === null) throw new Error('the sample has no CPU');
  const more = printQuantity(cpu.delta.center, scaleFor(cpu.unit, [cpu.delta.center]));
  const change = printChange(cpu.ratio.center, intervalDecimals(cpu.ratio));
  const sentence = `HTTPS costs ${more} more server CPU per transaction (${change}, 95 % interval ${printChangeInterval(cpu.ratio)}, ${cpu.pairs.length} blocks).`;
  return { sentence, metric: 'cpu_per_transaction', outcome: 'overhead' };
}

const letters: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

export function sampleBlock(
  index: number,
  kind: OperatingPoint,
  order: string,
  random: () => number,
  slotMs: number,
): Block {
  const slots = [...order].map((letter, place) =>
    sampleSlot(letters[letter] ?? 'baseline', kind, (index * 6 + place) * (slotMs + 60), random, slotMs),
  );
  return { index, kind, order, reasons: [], slots };
}

function sampleSlot(
  arm: Arm,
  point: OperatingPoint,
  startedAtMs: number,
  random: () => number,
  slotMs: number,
): Slot {
  const encrypted = arm === 'comparison';
  const perS = point === 'steady' ? 620 : (encrypted ? 1040 : 1240) * (1 + spread(random, 0.03));
  const transactions = Math.round((perS * slotMs) / 1000);
  const latency = hdr.build({ numberOfSignificantValueDigits: 3 });
  const typicalUs = (point === 'steady' ? 1500 : 6300) * (encrypted ? 1.19 : 1) * (1 + spread(random, 0.02));
  for (let i = 0; i < transactions; i++)
    latency.recordValue(Math.round(typicalUs * Math.exp(spread(random, 0.5) ** 3 * 6)));
  const cpuPerTransactionUs = (encrypted ? 712 : 588) * (1 + spread(random, 0.02));
  const wireBytes = transactions * (encrypted ? 173_300 : 171_900);
  const load: LoadResult = {
    elapsedUs: slotMs * 1000 + 1300,
    windowUs: (slotMs - 100) * 1000,
    started: transactions,
    succeeded: transactions,
    succeededInWindow: Math.round(transactions * (1 - 100 / slotMs)),
    due: point === 'steady' ? transactions : null,
    requests: transactions * 3,
    wireBytesRead: Math.round(wireBytes * 0.99),
    wireBytesWritten: Math.round(wireBytes * 0.01),
    bodyBytes: transactions * 170_400,
    connectionsOpened: 8,
    handshakesFull: encrypted ? 8 : 0,
    handshakesResumed: 0,
    lifetime: { connectionsOpened: 24, handshakesFull: encrypted ? 24 : 0, handshakesResumed: 0 },
    negotiated: encrypted ? sampleNegotiated : null,
    errors: [],
    latencyUs: percentiles(latency),
    latencyHistogram: hdr.encodeIntoCompressedBase64(latency),
    latencyFromDueUs: percentiles(latency),
    latenessUs: { count: transactions, p50: 40, p90: 160, p99: 700, max: 1900 },
    ttfbUs: scaled(percentiles(latency), 0.24),
    executionTimeUs: 410 * (1 + spread(random, 0.02)),
    steps: [0.2, 0.1, 0.7].map((share) => ({
      latencyUs: scaled(percentiles(latency), share),
      ttfbUs: scaled(percentiles(latency), share * 0.8),
    })),
    generatorCpuUs: transactions * 300,
  };
  const cpuUs = Math.round(transactions * cpuPerTransactionUs);
  const memoryBytes = 92_000_000 + Math.round(random() * 4_000_000);
  return {
    arm,
    transport: transportOf(arm, ['http', 'https']),
    point,
    startedAtMs,
    load,
    target: {
      source: 'proc',
      wallUs: slotMs * 1000 + 2000,
      cpuUs,
      cpuTickUs: Math.round(cpuUs / 10_000) * 10_000,
      cpuWitnessUs: cpuUs - 300,
      rssPeakBytes: memoryBytes + 2_000_000,
      memoryStartBytes: memoryBytes,
      memoryEndBytes: memoryBytes + 120_000,
      diskReadBytes: 0,
      diskWriteBytes: 49_152,
      processes: 1,
    },
    host: { stealRatio: 0.001, foreignRatio: 0.02 },
    curve: Array.from({ length: Math.floor(slotMs / 100) }, (_, place) => ({
      atMs: (place + 1) * 100,
      rssBytes: memoryBytes + place * 300_000,
      cpuPercent: Math.round(cpuUs / slotMs / 10),
    })),
    values: {
      ...(point === 'maximum'
        ? { throughput: perS, transactions_per_10_min: perS * 600 }
        : {
            latency_p50: latency.getValueAtPercentile(50),
            latency_p90: latency.getValueAtPercentile(90),
            latency_p99: latency.getValueAtPercentile(99),
            ttfb_p50: latency.getValueAtPercentile(50) * 0.24,
            execution_time: load.executionTimeUs ?? 0,
            cpu_per_transaction: cpuPerTransactionUs,
            cpu_utilization: (cpuUs / (slotMs * 1000)) * 100,
            disk_bytes_per_s: 49_152 / (slotMs / 1000),
            network_bytes_per_s: wireBytes / (slotMs / 1000),
            wire_bytes_per_transaction: wireBytes / transactions,
          }),
      memory_peak: memoryBytes + 2_000_000,
      memory_growth: 120_000,
    },
  };
}

export const sampleNegotiated = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  group: 'X25519MLKEM768',
  key: 'EC P-256',
  alpn: 'http/1.1',
};

function compare(id: MetricId, blocks: Block[]): MetricComparison {
  const { unit, scale, aggregate } = metricOf(id);
  const kept = blocks.filter((block) => block.reasons.length === 0);
  const pairs = kept.flatMap((block) => {
    const [http, https, twin] = (['baseline', 'comparison', 'twin'] as const).map((arm) =>
      mean(valuesOf(id, [block], arm)),
    );
    if (http === undefined || https === undefined || twin === undefined) return [];
    return [
      scale === 'ratio'
        ? { block: block.index, value: https / http, nullValue: twin / http }
        : { block: block.index, value: https - http, nullValue: twin - http },
    ];
  });
  const side = (arm: Arm) => {
    const values = valuesOf(id, kept, arm);
    return estimate(
      values,
      aggregate === 'sum' ? values.reduce((sum, value) => sum + value, 0) : median(values),
    );
  };
  const http = side('baseline');
  const https = side('comparison');
  const shifts = pairs.map((pair) => pair.value);
  const center = median(shifts);
  return {
    id,
    unit,
    http,
    https,
    delta: estimate(
      pairs.map((pair) => (scale === 'ratio' ? (pair.value - 1) * http.center : pair.value)),
      https.center - http.center,
    ),
    ratio: scale === 'ratio' ? estimate(shifts, center) : null,
    nullRatio: scale === 'ratio' ? estimate(pairs.map((pair) => pair.nullValue)) : null,
    outcome: scale === 'ratio' && Math.abs(center - 1) > 0.02 ? 'overhead' : 'inconclusive',
    reasons: id === 'latency_p99' ? ['Only 3,720 transactions a side: a 99th percentile needs 10,000.'] : [],
    pairs,
  };
}

function valuesOf(id: MetricId, blocks: Block[], arm: Arm): number[] {
  return blocks.flatMap((block) =>
    block.slots.filter((slot) => slot.arm === arm).flatMap((slot) => slot.values[id] ?? []),
  );
}

function estimate(values: number[], center = median(values)): Estimate {
  const halfWidth = (Math.max(...values) - Math.min(...values)) / 2;
  return { center, lo: center - halfWidth, hi: center + halfWidth };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function mean(values: number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percentiles(histogram: hdr.Histogram): Percentiles {
  return {
    count: histogram.totalCount,
    p50: histogram.getValueAtPercentile(50),
    p90: histogram.getValueAtPercentile(90),
    p99: histogram.getValueAtPercentile(99),
    max: histogram.maxValue,
  };
}

function scaled({ count, p50, p90, p99, max }: Percentiles, share: number): Percentiles {
  return { count, p50: p50 * share, p90: p90 * share, p99: p99 * share, max: max * share };
}

/** Between −width and +width, crowded in the middle. */
function spread(random: () => number, width: number): number {
  return (random() + random() - 1) * width;
}

/** A small generator of numbers in [0, 1) from a seed (mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
