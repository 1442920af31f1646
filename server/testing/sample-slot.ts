import * as hdr from 'hdr-histogram-js';
import type { Arm } from '../../shared/base/transport.ts';
import type { OperatingPoint } from '../../shared/kinds/comparison/load-profile.ts';
import type { LoadResult, Percentiles, ResourceUse, Slot } from '../../shared/kinds/comparison/slot.ts';
import { valuesOfSlot } from '../kinds/comparison/drop-reasons.ts';

/** One slot of the sample run, or in lockstep and at the maximum the sum of an arm's turns. */
export function sampleSlot(
  arm: Arm,
  point: OperatingPoint,
  startedAtMs: number,
  random: () => number,
  { slotMs, ofLaunch }: { slotMs: number; ofLaunch: number },
): Slot {
  const encrypted = arm === 'comparison';
  const perS = ratesPerS[point] ?? ((encrypted ? 1040 : 1240) / ofLaunch) * (1 + spread(random, 0.03));
  const transactions = Math.round((perS * slotMs) / 1000);
  const latency = hdr.build({ numberOfSignificantValueDigits: 3 });
  const typicalUs =
    (point === 'maximum' ? 6300 : 1500) * (encrypted ? 1.19 * ofLaunch : 1) * (1 + spread(random, 0.02));
  for (let i = 0; i < transactions; i++)
    latency.recordValue(Math.round(typicalUs * Math.exp(spread(random, 0.5) ** 3 * 6)));
  const cpuPerTransactionUs = cpuUsAt[point] * (encrypted ? 1.21 * ofLaunch : 1) * (1 + spread(random, 0.02));
  const load = sampleLoad({ point, encrypted, transactions, latency }, slotMs, random);
  const target = sampleUse(Math.round(transactions * cpuPerTransactionUs), slotMs, random);
  return {
    arm,
    transport: arm === 'comparison' ? 'https' : 'http',
    point,
    startedAtMs,
    load,
    target,
    host: { stealRatio: 0.001, foreignRatio: 0.02 },
    curve: Array.from({ length: Math.floor(slotMs / 100) }, (_, place) => ({
      atMs: (place + 1) * 100,
      rssBytes: target.memoryStartBytes + place * 300_000,
      cpuPercent: Math.round(target.cpuUs / slotMs / 10),
    })),
    values: valuesOfSlot(point, load, target, target.memoryEndBytes - target.memoryStartBytes),
  };
}

type Sent = { point: OperatingPoint; encrypted: boolean; transactions: number; latency: hdr.Histogram };

function sampleLoad(
  { point, encrypted, transactions, latency }: Sent,
  slotMs: number,
  random: () => number,
): LoadResult {
  const wireBytes = transactions * (encrypted ? 173_300 : 171_900);
  const [latencyUs, histogram] = [percentiles(latency), hdr.encodeIntoCompressedBase64(latency)];
  const phasesOf = (share: number) => ({
    connectUs: null,
    tlsUs: null,
    ttfbUs: scaled(latencyUs, share * 0.8),
    downloadUs: scaled(latencyUs, share * 0.2),
  });
  return {
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
    renegotiations: 0,
    lifetime: {
      connectionsOpened: 24,
      handshakesFull: encrypted ? 24 : 0,
      handshakesResumed: 0,
      renegotiations: 0,
    },
    negotiated: encrypted ? sampleNegotiated : null,
    errors: [],
    latencyUs,
    latencyHistogram: histogram,
    latencyFromDueUs: latencyUs,
    latenessUs: { count: transactions, p50: 40, p90: 160, p99: 700, max: 1900 },
    ttfbUs: scaled(latencyUs, 0.24),
    executionTimeUs: 410 * (1 + spread(random, 0.02)),
    steps: [0.2, 0.1, 0.7].map((share) => ({ latencyUs: scaled(latencyUs, share), ...phasesOf(share) })),
    phases: phasesOf(1),
    phaseHistograms: { connectUs: null, tlsUs: null, ttfbUs: histogram, downloadUs: histogram },
    generatorCpuUs: transactions * 300,
    generatorBusiestUs: transactions * 300,
  };
}

/** Resource use of a target's processes. */
function sampleUse(cpuUs: number, slotMs: number, random: () => number): ResourceUse {
  const memoryBytes = 92_000_000 + Math.round(random() * 4_000_000);
  return {
    source: 'proc',
    wallUs: slotMs * 1000 + 2000,
    cpuUs,
    cpuTickUs: Math.round(cpuUs / 10_000) * 10_000,
    cpuWitnessUs: cpuUs - 300,
    rssPeakBytes: memoryBytes + 2_000_000,
    memoryStartBytes: memoryBytes,
    memoryEndBytes: memoryBytes + Math.round(random() * 240_000),
    diskReadBytes: 0,
    diskWriteBytes: 49_152,
    processes: 1,
  };
}

/** At the maximum, what the arm can handle. */
const ratesPerS: Partial<Record<OperatingPoint, number>> = { lockstep: 640, steady: 620 };

/** CPU of a transaction over HTTP: the busier a core, the less it wakes up. */
export const cpuUsAt: Record<OperatingPoint, number> = { lockstep: 588, maximum: 430, steady: 505 };

const sampleNegotiated = {
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  group: 'X25519MLKEM768',
  key: 'EC P-256',
  alpn: 'http/1.1',
};

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
