import type { Histogram } from 'hdr-histogram-js';
import type { ErrorGroup, RequestOutcome } from '../../shared/outcome.ts';
import type { Percentiles } from '../../shared/slot.ts';
import type { Transport } from '../../shared/transport.ts';
import { newLatencyHistogram } from '../statistics/histogram.ts';

/**
 * Everything a slot counts, made once per lane and cleared between slots, so that recording allocates nothing.
 * Times are µs; only transactions begun inside the window are recorded, all are counted.
 */
export class SlotRecorder {
  started = 0;
  succeeded = 0;
  succeededInWindow = 0;
  requests = 0;
  bodyBytes = 0;
  executionUs = 0;
  executions = 0;

  readonly latency: Histogram = newLatencyHistogram();
  readonly latencyFromDue: Histogram = newLatencyHistogram();
  readonly lateness: Histogram = newLatencyHistogram();
  readonly ttfb: Histogram = newLatencyHistogram();
  readonly steps: readonly { latency: Histogram; ttfb: Histogram }[];
  readonly #stepNames: readonly string[];
  readonly #transport: Transport;
  readonly #errors = new Map<string, ErrorGroup>();

  constructor(transport: Transport, stepNames: readonly string[]) {
    this.#transport = transport;
    this.#stepNames = stepNames;
    this.steps = stepNames.map(() => ({ latency: newLatencyHistogram(), ttfb: newLatencyHistogram() }));
  }

  clear(): void {
    this.started = 0;
    this.succeeded = 0;
    this.succeededInWindow = 0;
    this.requests = 0;
    this.bodyBytes = 0;
    this.executionUs = 0;
    this.executions = 0;
    for (const histogram of [this.latency, this.latencyFromDue, this.lateness, this.ttfb]) histogram.reset();
    for (const step of this.steps) {
      step.latency.reset();
      step.ttfb.reset();
    }
    this.#errors.clear();
  }

  recordRequest(step: number, sentAtMs: number, firstByteAtMs: number, doneAtMs: number): void {
    const histograms = this.steps[step];
    if (histograms === undefined) return;
    const ttfb = toUs(firstByteAtMs - sentAtMs);
    histograms.latency.recordValue(toUs(doneAtMs - sentAtMs));
    histograms.ttfb.recordValue(ttfb);
    this.ttfb.recordValue(ttfb);
  }

  recordTransaction(dueAtMs: number, releasedAtMs: number, sentAtMs: number, doneAtMs: number): void {
    this.latency.recordValue(toUs(doneAtMs - releasedAtMs));
    this.latencyFromDue.recordValue(toUs(doneAtMs - dueAtMs));
    this.lateness.recordValue(toUs(sentAtMs - dueAtMs));
  }

  recordError(step: number, outcome: RequestOutcome, detail: string): void {
    const name = this.#stepNames[step] ?? null;
    const key = `${step} ${outcome} ${detail}`;
    const group = this.#errors.get(key);
    if (group !== undefined) group.count++;
    else this.#errors.set(key, { transport: this.#transport, step: name, outcome, detail, count: 1 });
  }

  takeErrors(): ErrorGroup[] {
    return [...this.#errors.values()];
  }
}

const longestUs = 120_000_000;

function toUs(ms: number): number {
  const us = Math.round(ms * 1000);
  return Math.min(longestUs, Math.max(1, us));
}

export function percentilesOf(histogram: Histogram): Percentiles {
  return {
    count: histogram.totalCount,
    p50: histogram.getValueAtPercentile(50),
    p90: histogram.getValueAtPercentile(90),
    p99: histogram.getValueAtPercentile(99),
    max: histogram.maxValue,
  };
}
