import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

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
