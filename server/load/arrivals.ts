/** Where an arrival goes. `release` returns false when every user is busy; it is then asked for later. */
export type ArrivalSink = {
  release(dueAtMs: number, nowMs: number): boolean;
  finished(): void;
};

const tickMs = 1;

/**
 * Arrivals at a constant rate, evenly spaced, whatever the target does: the open model.
 * A tick releases everything that has become due. Arrivals that find no free user wait in order and keep
 * the time of the tick that released them, so a stall of the target shows in their latency.
 */
export class Arrivals {
  due = 0;
  readonly #gapMs: number;
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #sink: ArrivalSink;
  readonly #waiting: { dueAtMs: number; releasedAtMs: number }[] = [];
  #firstWaiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(ratePerS: number, fromMs: number, toMs: number, sink: ArrivalSink) {
    this.#gapMs = 1000 / ratePerS;
    this.#fromMs = fromMs;
    this.#toMs = toMs;
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
    let dueAtMs = this.#fromMs + this.due * this.#gapMs;
    while (dueAtMs <= nowMs && dueAtMs < this.#toMs) {
      this.due++;
      if (!this.#sink.release(dueAtMs, nowMs)) this.#waiting.push({ dueAtMs, releasedAtMs: nowMs });
      dueAtMs = this.#fromMs + this.due * this.#gapMs;
    }
    if (dueAtMs < this.#toMs) return;
    this.stop();
    this.#sink.finished();
  }
}
