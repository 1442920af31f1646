import type { HostClock } from '../../../../shared/measurement/generator-host.ts';
import { quantile } from '../../../method/statistics/quantile.ts';

/** Round trips, at four a second: few enough that the clocks have not drifted apart, enough that one was quick. */
const kept = 24;
const fewestTrips = 5;

type Trip = { roundTripUs: number; offsetUs: number; wallOffsetMs: number };

/**
 * Estimates how far another host's clock is ahead. The host read its clock at some moment within a round trip, so the shortest trip
 * gives the best estimate, to within half of that trip (as NTP does, RFC 5905).
 */
export class ClockEstimate {
  readonly #trips: Trip[] = [];

  /** @param there the host's clocks during the trip; the other times are on ours */
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

  /** Of the monotonic clock. Throws before the first trip. */
  get offsetUs(): number {
    return this.#shortest.offsetUs;
  }

  /** The 90th percentile. */
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
