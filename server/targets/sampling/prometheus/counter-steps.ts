import { median } from '../../../method/statistics/quantile.ts';

/** Waits without a change while the target works, from which on they are no chance. */
const enoughStill = 2;

/**
 * Learns the steps of a counter of CPU, in µs, from what it shows. A counter that counts seconds or ticks only ever moves by whole
 * ones. One that its exporter keeps for a while stands still while the target works, and then makes a leap.
 */
export class CounterSteps {
  readonly #leaps: number[] = [];
  #divisorUs: number | null = null;
  #still = 0;

  /** Any change that was seen, zero and less included. */
  saw(gainUs: number): void {
    // Sums of floating-point numbers end in noise.
    const gain = Math.round(gainUs);
    if (gain <= 0) return;
    let divisor = this.#divisorUs ?? 10 ** Math.floor(Math.log10(gain));
    while (divisor > 1 && gain % divisor !== 0) divisor /= 10;
    this.#divisorUs = divisor;
  }

  /** A change over a stretch in which the target worked. */
  sawWork(gainUs: number): void {
    this.saw(gainUs);
    if (Math.round(gainUs) > 0) this.#leaps.push(gainUs);
    else this.#still++;
  }

  /** Null while the counter has not moved. */
  get stepUs(): number | null {
    if (this.#divisorUs === null) return null;
    if (this.#still < enoughStill || this.#leaps.length === 0) return this.#divisorUs;
    return Math.max(this.#divisorUs, median(this.#leaps));
  }
}
