import { type ArrivalSchedule, dueAtMs } from './arrival-schedule.ts';
import type { Metronome } from './metronome.ts';

/** Where an arrival goes. `release` returns false when every user is busy; it is then asked for later. */
type ArrivalSink = {
  release(dueAtMs: number, nowMs: number): boolean;
  finished(): void;
};

type WaitingArrival = { dueAtMs: number; releasedAtMs: number };

/**
 * Arrivals at a constant rate, evenly spaced, whatever the target does: the open model.
 * A beat releases everything that has become due. Arrivals that find no free user wait in order and keep
 * the time of the beat that released them, so a stall of the target shows in their latency.
 */
export class Arrivals {
  due = 0;
  readonly #schedule: ArrivalSchedule;
  readonly #sink: ArrivalSink;
  readonly #metronome: Metronome;
  #waiting: WaitingArrival[] = [];
  #firstWaiting = 0;
  #ended = false;

  constructor(schedule: ArrivalSchedule, sink: ArrivalSink, metronome: Metronome) {
    this.#schedule = schedule;
    this.#sink = sink;
    this.#metronome = metronome;
  }

  /** No arrival is left, neither to come nor waiting. */
  get exhausted(): boolean {
    return this.#ended && this.#firstWaiting === this.#waiting.length;
  }

  start(): void {
    this.#metronome.play(this.#schedule, () => this.#releaseDue());
    this.#releaseDue();
  }

  stop(): void {
    if (!this.#ended) this.#metronome.stop();
    this.#ended = true;
  }

  takeWaiting(): WaitingArrival | null {
    const next = this.#waiting[this.#firstWaiting];
    if (next === undefined) return null;
    this.#firstWaiting++;
    return next;
  }

  /** Gives up those that still wait: they stay due, and are never begun. */
  takeAllWaiting(): WaitingArrival[] {
    const waiting = this.#waiting.slice(this.#firstWaiting);
    this.#waiting = [];
    this.#firstWaiting = 0;
    return waiting;
  }

  #releaseDue(): void {
    if (this.#ended) return;
    const nowMs = performance.now();
    let dueMs = dueAtMs(this.due, this.#schedule);
    while (dueMs <= nowMs && dueMs < this.#schedule.toMs) {
      this.due++;
      if (!this.#sink.release(dueMs, nowMs)) this.#waiting.push({ dueAtMs: dueMs, releasedAtMs: nowMs });
      dueMs = dueAtMs(this.due, this.#schedule);
    }
    if (dueMs < this.#schedule.toMs) return;
    this.stop();
    this.#sink.finished();
  }
}
