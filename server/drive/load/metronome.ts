import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Words that the threads share: the number of the piece, 0 for none; and whether a beat is on its way. */
export const playing = 0;
export const beatUnheard = 1;

export type Piece = { number: number; schedule: ArrivalSchedule };

/**
 * Wakes the event loop when an arrival is due. Its own timers fire every whole millisecond, and so would release all that
 * is due in it at once. A thread of its own sleeps to the microsecond, as far as the kernel lets it (its slack is 50 µs),
 * and costs one message for each arrival, or for all that became due before the last message was heard.
 */
export class Metronome {
  static #ofProcess: Promise<Metronome> | null = null;
  readonly #thread: Worker;
  readonly #words: Int32Array;
  #number = 0;
  #onBeat: (() => void) | null = null;

  private constructor() {
    this.#words = new Int32Array(new SharedArrayBuffer(8));
    this.#thread = new Worker(new URL('./metronome-thread.ts', import.meta.url), { workerData: this.#words });
    this.#thread.on('message', () => {
      // Before the clock is read: what becomes due later is then sure of a beat.
      Atomics.store(this.#words, beatUnheard, 0);
      this.#onBeat?.();
    });
  }

  /** Resolves when the thread is there, which takes some 50 ms. From then on it never keeps the process alive. */
  static async start(): Promise<Metronome> {
    const metronome = new Metronome();
    await once(metronome.#thread, 'message');
    metronome.#thread.unref();
    return metronome;
  }

  /** The one whose beats the arms of this process take turns to need; started at the first call. */
  static ofProcess(): Promise<Metronome> {
    Metronome.#ofProcess ??= Metronome.start();
    return Metronome.#ofProcess;
  }

  /** Beats from now on for this schedule, and no other. */
  play(schedule: ArrivalSchedule, onBeat: () => void): void {
    this.#turnTo(++this.#number);
    this.#onBeat = onBeat;
    this.#thread.postMessage({ number: this.#number, schedule } satisfies Piece);
  }

  stop(): void {
    this.#turnTo(0);
    this.#onBeat = null;
  }

  #turnTo(number: number): void {
    Atomics.store(this.#words, playing, number);
    Atomics.notify(this.#words, playing);
  }
}

/** When a process's arrivals are due. */
export type ArrivalSchedule = {
  /** Rate of all processes together. */
  ratePerS: number;
  /** Time in which the rate rises linearly from 0. */
  rampMs: number;
  /** In `performance.now()` ms, as is `toMs`. */
  fromMs: number;
  toMs: number;
  /** Every `of`-th arrival is this process's, from the `index`-th on. */
  share: { index: number; of: number };
};

/** When the process's arrival of that number, from 0 on, is due. */
export function dueAtMs(number: number, schedule: ArrivalSchedule): number {
  const { share, fromMs } = schedule;
  return fromMs + dueAfterMs(number * share.of + share.index, schedule);
}

/** When the arrival of that number is due, since the start: on the ramp the area under the rate is the number. */
export function dueAfterMs(
  number: number,
  { ratePerS, rampMs }: Pick<ArrivalSchedule, 'ratePerS' | 'rampMs'>,
): number {
  const perMs = ratePerS / 1000;
  const onRamp = (perMs * rampMs) / 2;
  return number < onRamp ? Math.sqrt((2 * number * rampMs) / perMs) : rampMs / 2 + number / perMs;
}
