import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

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

  /** Drops delivered pieces once they are most of the list. */
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

/** In the word that the threads share: nothing is due. */
export const never = -1n;

/**
 * The thread is asked to wake the event loop so much earlier than it is needed: the kernel lets it sleep up to 50 µs longer,
 * its message takes about as long, and more when caches are cold. The rest is waited for in turns of the event loop.
 */
const leadMs = 0.4;
/** A message that comes so much too early is of a time that it is no longer set for. */
const staleMs = 1;

/**
 * Rings at a time, to some µs. The event loop's own timers know whole milliseconds only, so a thread sleeps until just
 * before it, and the event loop spins for the rest, where there is more than one core to do that on.
 */
export class Alarm {
  readonly #onRing: () => void;
  readonly #due = new BigInt64Array(new SharedArrayBuffer(8)).fill(never);
  readonly #leadMs = availableParallelism() > 1 ? leadMs : 0;
  /** Resolves when its thread is there. */
  readonly ready: Promise<unknown>;
  #setForMs = Number.POSITIVE_INFINITY;
  #spinning = false;

  constructor(onRing: () => void) {
    this.#onRing = onRing;
    const thread = new Worker(new URL('./alarm-thread.ts', import.meta.url), { workerData: this.#due });
    thread.on('message', () => this.#spin());
    this.ready = once(thread, 'message');
  }

  /** Rings once at this time of `performance.now()`, in ms, or at an earlier one that it is set for already. */
  setFor(dueMs: number): void {
    if (dueMs >= this.#setForMs) return;
    this.#setForMs = dueMs;
    const wakeMs = dueMs - this.#leadMs;
    if (wakeMs <= performance.now()) {
      this.#spin();
      return;
    }
    Atomics.store(this.#due, 0, BigInt(Math.floor(wakeMs * 1000)));
    Atomics.notify(this.#due, 0);
  }

  #spin(): void {
    if (this.#spinning) return;
    this.#spinning = true;
    setImmediate(() => {
      this.#spinning = false;
      const leftMs = this.#setForMs - performance.now();
      if (leftMs > staleMs) return;
      if (leftMs > 0) this.#spin();
      else {
        this.#setForMs = Number.POSITIVE_INFINITY;
        this.#onRing();
      }
    });
  }
}
