import { closeSync, openSync, writeSync } from 'node:fs';

/** When a piece has passed, in ms. */
type Passing = { dueMs: number; deliver: () => void };

/**
 * One direction of a link. What enters leaves in the same order after the delay, and no faster than the rate: the last byte
 * of a piece has to be sent before the next piece is begun.
 */
export class DelayLine {
  readonly #delayMs: number;
  /** Null for no limit. */
  readonly #bytesPerMs: number | null;
  #passing: Passing[] = [];
  #first = 0;
  /** When the last piece that entered has been sent. */
  #freeAtMs = 0;

  constructor(delayMs: number, mbitPerS: number | null) {
    this.#delayMs = delayMs;
    this.#bytesPerMs = mbitPerS === null ? null : (mbitPerS * 1000) / 8;
  }

  /** When the next piece is due; infinite when nothing is on its way. */
  get nextMs(): number {
    return this.#passing[this.#first]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** How long what enters now waits for what entered before it. */
  queuedMs(nowMs: number): number {
    return Math.max(0, this.#freeAtMs - nowMs);
  }

  enter(nowMs: number, bytes: number, deliver: () => void): void {
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + bytes / (this.#bytesPerMs ?? Number.POSITIVE_INFINITY);
    this.#passing.push({ dueMs: this.#freeAtMs + this.#delayMs, deliver });
  }

  release(nowMs: number): void {
    for (let next = this.#passing[this.#first]; next !== undefined && next.dueMs <= nowMs; ) {
      this.#first++;
      next.deliver();
      next = this.#passing[this.#first];
    }
    this.#forget();
  }

  /** What was delivered, once it is most of the list. */
  #forget(): void {
    if (this.#first * 2 < this.#passing.length) return;
    this.#passing = this.#passing.slice(this.#first);
    this.#first = 0;
  }
}

/**
 * Keeps the cores from sleeping where the kernel lets this user, which takes root: on a virtual machine a core that has slept
 * for 20 ms takes some 0.2 ms to wake up, which a link adds to its delay. Ends with the process at the latest. Source: Linux,
 * PM Quality of Service, `/dev/cpu_dma_latency`.
 * @returns lets them sleep again
 */
export function keepAwake(): () => void {
  try {
    const held = openSync('/dev/cpu_dma_latency', 'w');
    // Four bytes: the longest that waking up may take, in µs.
    writeSync(held, Buffer.alloc(4));
    return () => closeSync(held);
  } catch {
    return () => {};
  }
}
