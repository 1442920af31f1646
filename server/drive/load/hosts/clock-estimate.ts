import type { HostClock } from '../../../../shared/measurement/generator-host.ts';
import { quantile } from '../../../method/statistics/quantile.ts';

/** Of round trips, at four a second: so recent that the clocks have not drifted apart, and so many that one was quick. */
const kept = 24;
const fewestTrips = 5;

type Trip = { roundTripUs: number; offsetUs: number; wallOffsetMs: number };

/**
 * By how much another host's clock is ahead, from round trips. The answer was written at some moment between the question and its
 * arrival, so the shortest trip knows it best: to half of itself (as NTP does, RFC 5905).
 */
export class ClockEstimate {
  readonly #trips: Trip[] = [];

  /** Times of one trip on our clocks, µs and ms, and what the host's said in between. */
  add(sentUs: number, receivedUs: number, there: { atUs: number; wallMs: number }, wallMs: number): void {
    const roundTripUs = Math.max(0, receivedUs - sentUs);
    this.#trips.push({
      roundTripUs,
      offsetUs: there.atUs - (sentUs + receivedUs) / 2,
      wallOffsetMs: there.wallMs - (wallMs - roundTripUs / 2000),
    });
    if (this.#trips.length > kept) this.#trips.shift();
  }

  get isKnown(): boolean {
    return this.#trips.length >= fewestTrips;
  }

  /** Of the monotonic clock, µs. Throws before there is a trip. */
  get offsetUs(): number {
    return this.#shortest.offsetUs;
  }

  /** What most trips keep to. */
  get usualTripUs(): number {
    return quantile(this.#tripsUs, 0.9);
  }

  describe(): HostClock | null {
    if (!this.isKnown) return null;
    const { roundTripUs, wallOffsetMs } = this.#shortest;
    return {
      offsetMs: Math.round(wallOffsetMs * 10) / 10,
      withinUs: Math.round(roundTripUs / 2),
      roundTripUs: Math.round(quantile(this.#tripsUs, 0.5)),
    };
  }

  get #tripsUs(): number[] {
    return this.#trips.map((trip) => trip.roundTripUs);
  }

  get #shortest(): Trip {
    const [first, ...others] = this.#trips;
    if (first === undefined) throw new Error('its clock is not known yet');
    return others.reduce((best, trip) => (trip.roundTripUs < best.roundTripUs ? trip : best), first);
  }
}
