/** Where an arrival goes. `release` returns false when every user is busy; it is then asked for later. */
export type ArrivalSink = {
  release(dueAtMs: number, nowMs: number): boolean;
  finished(): void;
};

export type ArrivalPlan = {
  /** Of all processes together. */
  ratePerS: number;
  /** The rate rises in a straight line from nothing over so long. */
  rampMs: number;
  fromMs: number;
  toMs: number;
  /** Every `of`-th arrival is this process's, from the `index`-th on. */
  share: { index: number; of: number };
};

const tickMs = 1;

/**
 * Arrivals at a constant rate, evenly spaced, whatever the target does: the open model.
 * A tick releases everything that has become due. Arrivals that find no free user wait in order and keep
 * the time of the tick that released them, so a stall of the target shows in their latency.
 */
export class Arrivals {
  due = 0;
  readonly #plan: ArrivalPlan;
  readonly #sink: ArrivalSink;
  readonly #waiting: { dueAtMs: number; releasedAtMs: number }[] = [];
  #firstWaiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(plan: ArrivalPlan, sink: ArrivalSink) {
    this.#plan = plan;
    this.#sink = sink;
  }

  /** No arrival is left, neither to come nor waiting. */
  get exhausted(): boolean {
    return this.#ended && this.#firstWaiting === this.#waiting.length;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#tick();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#ended = true;
  }

  /** Gives up those that still wait: they stay due, and are never begun. */
  abandonWaiting(): void {
    this.#firstWaiting = this.#waiting.length;
  }

  takeWaiting(): { dueAtMs: number; releasedAtMs: number } | null {
    return this.#waiting[this.#firstWaiting] === undefined
      ? null
      : (this.#waiting[this.#firstWaiting++] ?? null);
  }

  #tick(): void {
    const nowMs = performance.now();
    let dueAtMs = this.#nextDueAtMs();
    while (dueAtMs <= nowMs && dueAtMs < this.#plan.toMs) {
      this.due++;
      if (!this.#sink.release(dueAtMs, nowMs)) this.#waiting.push({ dueAtMs, releasedAtMs: nowMs });
      dueAtMs = this.#nextDueAtMs();
    }
    if (dueAtMs < this.#plan.toMs) return;
    this.stop();
    this.#sink.finished();
  }

  #nextDueAtMs(): number {
    const { share, fromMs } = this.#plan;
    return fromMs + dueAfterMs(this.due * share.of + share.index, this.#plan);
  }
}

/** When the arrival of that number is due, since the start: on the ramp the area under the rate is the number. */
export function dueAfterMs(
  number: number,
  { ratePerS, rampMs }: Pick<ArrivalPlan, 'ratePerS' | 'rampMs'>,
): number {
  const perMs = ratePerS / 1000;
  const onRamp = (perMs * rampMs) / 2;
  return number < onRamp ? Math.sqrt((2 * number * rampMs) / perMs) : rampMs / 2 + number / perMs;
}
