/** Spreads what begins evenly over time. Times in ms, of one clock. */
export class Pace {
  readonly #everyMs: number;
  #freeAtMs = 0;

  constructor(perS: number) {
    this.#everyMs = 1000 / perS;
  }

  /** How long the next one has to wait. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#freeAtMs - nowMs);
  }

  /** Returns how long they have to wait; the ones after them wait for these as well. */
  take(count: number, nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    this.#freeAtMs = nowMs + waitMs + count * this.#everyMs;
    return waitMs;
  }
}
