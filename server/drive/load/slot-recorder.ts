import type { ErrorGroup, RequestOutcome } from '../../../shared/base/outcome.ts';
import type { Transport } from '../../../shared/base/transport.ts';
import { type Packed, TimeCounts } from '../../method/statistics/latency-histogram.ts';

/** Times of a request or of a transaction by phase, and whole. */
export type PhaseCounts = {
  latencyUs: TimeCounts;
  connectUs: TimeCounts;
  tlsUs: TimeCounts;
  ttfbUs: TimeCounts;
  downloadUs: TimeCounts;
};

/** The same, packed to go to another process. */
export type PackedPhases = Record<keyof PhaseCounts, Packed>;

/**
 * Everything a slot counts, made once per lane and cleared between slots, so that recording allocates nothing.
 * Only transactions released inside the window are recorded, all are counted.
 */
export class SlotRecorder {
  started = 0;
  succeeded = 0;
  succeededInWindow = 0;
  requests = 0;
  /** Connections that the server closed after about a second or more without a request. */
  idleCloses = 0;
  bodyBytes = 0;
  executionUs = 0;
  executions = 0;

  readonly transaction = newPhaseCounts();
  readonly latencyFromDue = new TimeCounts();
  readonly lateness = new TimeCounts();
  readonly steps: readonly PhaseCounts[];
  readonly #stepNames: readonly string[];
  readonly #transport: Transport;
  readonly #errors = new Map<string, ErrorGroup>();

  constructor(transport: Transport, stepNames: readonly string[]) {
    this.#transport = transport;
    this.#stepNames = stepNames;
    this.steps = stepNames.map(newPhaseCounts);
  }

  clear(): void {
    this.started = 0;
    this.succeeded = 0;
    this.succeededInWindow = 0;
    this.requests = 0;
    this.idleCloses = 0;
    this.bodyBytes = 0;
    this.executionUs = 0;
    this.executions = 0;
    this.latencyFromDue.clear();
    this.lateness.clear();
    for (const counts of [this.transaction, ...this.steps]) {
      for (const phase of Object.values(counts)) phase.clear();
    }
    this.#errors.clear();
  }

  recordRequest(step: number, latencyMs: number, spans: PhaseSpans): void {
    const counts = this.steps[step];
    if (counts !== undefined) record(counts, latencyMs, spans);
  }

  recordTransaction(latencyMs: number, spans: PhaseSpans): void {
    record(this.transaction, latencyMs, spans);
  }

  /** Records an arrival at a rate; in a closed loop nothing is ever due before it is sent. */
  recordArrival(latencyFromDueMs: number, latenessMs: number): void {
    this.latencyFromDue.record(latencyFromDueMs * 1000);
    this.lateness.record(latenessMs * 1000);
  }

  /**
   * Records an arrival that was never begun. It would have taken longer than it waited, so its waiting time counts as its latency: without
   * it, the slowest would be missing from every percentile.
   */
  recordGivenUp(sinceReleaseMs: number, sinceDueMs: number): void {
    this.transaction.latencyUs.record(sinceReleaseMs * 1000);
    this.recordArrival(sinceDueMs, sinceDueMs);
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

  /** Everything recorded since the last clear, in the form that a process hands over. */
  pack() {
    return {
      started: this.started,
      succeeded: this.succeeded,
      succeededInWindow: this.succeededInWindow,
      requests: this.requests,
      ...(this.idleCloses === 0 ? {} : { idleCloses: this.idleCloses }),
      bodyBytes: this.bodyBytes,
      errors: this.takeErrors(),
      executionUs: this.executionUs,
      executions: this.executions,
      transaction: packPhases(this.transaction),
      latencyFromDue: this.latencyFromDue.pack(),
      lateness: this.lateness.pack(),
      steps: this.steps.map(packPhases),
    };
  }
}

function record(counts: PhaseCounts, latencyMs: number, spans: PhaseSpans): void {
  counts.latencyUs.record(latencyMs * 1000);
  if (spans.connectMs > 0) counts.connectUs.record(spans.connectMs * 1000);
  if (spans.tlsMs > 0) counts.tlsUs.record(spans.tlsMs * 1000);
  counts.ttfbUs.record(spans.ttfbMs * 1000);
  counts.downloadUs.record(spans.downloadMs * 1000);
}

export function newPhaseCounts(): PhaseCounts {
  return {
    latencyUs: new TimeCounts(),
    connectUs: new TimeCounts(),
    tlsUs: new TimeCounts(),
    ttfbUs: new TimeCounts(),
    downloadUs: new TimeCounts(),
  };
}

function packPhases(counts: PhaseCounts): PackedPhases {
  return {
    latencyUs: counts.latencyUs.pack(),
    connectUs: counts.connectUs.pack(),
    tlsUs: counts.tlsUs.pack(),
    ttfbUs: counts.ttfbUs.pack(),
    downloadUs: counts.downloadUs.pack(),
  };
}

/** Durations of the phases of a request or a transaction, in ms; 0 for one that did not happen. */
export type PhaseSpans = { connectMs: number; tlsMs: number; ttfbMs: number; downloadMs: number };

export function noSpans(): PhaseSpans {
  return { connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 };
}

export function clearSpans(spans: PhaseSpans): void {
  spans.connectMs = 0;
  spans.tlsMs = 0;
  spans.ttfbMs = 0;
  spans.downloadMs = 0;
}

export function addSpans(sums: PhaseSpans, spans: PhaseSpans): void {
  sums.connectMs += spans.connectMs;
  sums.tlsMs += spans.tlsMs;
  sums.ttfbMs += spans.ttfbMs;
  sums.downloadMs += spans.downloadMs;
}
