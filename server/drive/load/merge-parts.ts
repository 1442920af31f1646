import type { ErrorGroup } from '../../../shared/base/outcome.ts';
import type { LoadResult, Percentiles, PhaseTimes } from '../../../shared/kinds/comparison/slot.ts';
import { encodeCounts } from '../../method/statistics/histogram.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { type Packed, TimeCounts } from '../../method/statistics/time-counts.ts';
import { connecting, sums } from './lane-count.ts';
import type { Burst, BurstPart, LoadPart, Prepared } from './messages.ts';
import { newPhaseCounts, type PackedPhases, type PhaseCounts } from './slot-recorder.ts';

/** The slot as a whole, from what each process did of it. Percentiles are those of all values together. */
export function mergeParts(parts: readonly LoadPart[]): LoadResult {
  const sum = (pick: (part: LoadPart) => number) => sumOf(parts.map(pick));
  const transaction = addPhases(parts.map((part) => part.transaction));
  const steps = parts[0]?.steps.map((_, index) =>
    addPhases(parts.flatMap((part) => part.steps[index] ?? [])),
  );
  const closed = parts.every((part) => part.due === null);
  const ttfb = add(parts.flatMap((part) => part.steps.map((step) => step.ttfbUs)));
  const executions = sum((part) => part.executions);
  const idleCloses = sum((part) => part.idleCloses ?? 0);
  return {
    elapsedUs: Math.max(...parts.map((part) => part.elapsedUs)),
    windowUs: Math.max(...parts.map((part) => part.windowUs)),
    ...sums(parts, ['started', 'succeeded', 'succeededInWindow', 'requests']),
    ...(idleCloses === 0 ? {} : { idleCloses }),
    due: closed ? null : sum((part) => part.due ?? 0),
    ...sums(parts, ['wireBytesRead', 'wireBytesWritten', 'bodyBytes', ...connecting]),
    lifetime: sums(
      parts.map(({ lifetime }) => lifetime),
      connecting,
    ),
    negotiated: parts.find((part) => part.negotiated !== null)?.negotiated ?? null,
    errors: addErrors(parts.map((part) => part.errors)),
    latencyUs: percentilesOf(transaction.latencyUs),
    latencyHistogram: encodeCounts(transaction.latencyUs),
    latencyFromDueUs: percentilesOf(
      closed ? transaction.latencyUs : add(parts.map((part) => part.latencyFromDue)),
    ),
    latenessUs: percentilesOf(add(parts.map((part) => part.lateness))),
    ttfbUs: percentilesOf(ttfb),
    phases: timesOf(transaction),
    phaseHistograms: {
      connectUs: encodeUnlessEmpty(transaction.connectUs),
      tlsUs: encodeUnlessEmpty(transaction.tlsUs),
      ttfbUs: encodeUnlessEmpty(transaction.ttfbUs),
      downloadUs: encodeUnlessEmpty(transaction.downloadUs),
    },
    executionTimeUs: executions === 0 ? null : sum((part) => part.executionUs) / executions,
    steps: (steps ?? []).map((step) => ({ latencyUs: percentilesOf(step.latencyUs), ...timesOf(step) })),
    generatorCpuUs: sum((part) => part.cpuUs),
    generatorBusiestUs: Math.max(...parts.map((part) => part.cpuUs)),
  };
}

export function mergeBursts(parts: readonly BurstPart[]): Burst {
  return {
    elapsedUs: Math.max(...parts.map((part) => part.elapsedUs)),
    windowUs: Math.max(...parts.map((part) => part.windowUs)),
    ...sums(parts, ['started', 'succeeded', 'transactionsInWindow', 'cpuUs']),
    busiestUs: Math.max(...parts.map((part) => part.cpuUs)),
  };
}

export function mergePrepared(parts: readonly Prepared[]): Prepared {
  return {
    ...sums(parts, connecting),
    negotiated: parts.find((part) => part.negotiated !== null)?.negotiated ?? null,
    errors: addErrors(parts.map((part) => part.errors)),
  };
}

function addErrors(lists: readonly ErrorGroup[][]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const group of lists.flat()) {
    const key = `${group.step} ${group.outcome} ${group.detail}`;
    const before = groups.get(key);
    groups.set(key, { ...group, count: group.count + (before?.count ?? 0) });
  }
  return [...groups.values()];
}

function addPhases(parts: readonly PackedPhases[]): PhaseCounts {
  const sum = newPhaseCounts();
  for (const part of parts) {
    for (const phase of Object.keys(sum) as (keyof PhaseCounts)[]) sum[phase].addPacked(part[phase]);
  }
  return sum;
}

function add(packed: readonly Packed[]): TimeCounts {
  const sum = new TimeCounts();
  for (const part of packed) sum.addPacked(part);
  return sum;
}

function timesOf(counts: PhaseCounts): PhaseTimes {
  const orNull = (times: TimeCounts) => (times.count === 0 ? null : percentilesOf(times));
  return {
    connectUs: orNull(counts.connectUs),
    tlsUs: orNull(counts.tlsUs),
    ttfbUs: orNull(counts.ttfbUs),
    downloadUs: orNull(counts.downloadUs),
  };
}

function encodeUnlessEmpty(counts: TimeCounts): string | null {
  return counts.count === 0 ? null : encodeCounts(counts);
}

function percentilesOf(counts: TimeCounts): Percentiles {
  return {
    count: counts.count,
    p50: counts.percentile(50),
    p90: counts.percentile(90),
    p99: counts.percentile(99),
    max: counts.max,
  };
}
