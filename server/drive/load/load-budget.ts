import type { Caps } from '../../../shared/target/permitted-target.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { Pace } from '../../base/addresses/pace.ts';
import { strictest } from '../../base/addresses/strictest.ts';
import { bytesReached, type Share } from './messages.ts';

/** The exit code of a process whose lease was not renewed in time. */
const leaseOver = 3;

/**
 * What this process may still send to a target on another host, whoever asks it to. Requests are paced evenly, so that a
 * target never sees more than its rate, and bytes are counted from the start of the process.
 */
export class LoadBudget {
  readonly #caps: Caps;
  readonly #host: string;
  readonly #share: Share;
  readonly #pace: Pace;
  #leaseUntilMs = Number.POSITIVE_INFINITY;
  /** Rejects when the bytes are used up. */
  readonly exhausted: Promise<never>;
  readonly #exhaust: (reason: Error) => void;

  constructor(host: string, caps: Caps, share: Share) {
    this.#host = host;
    this.#caps = caps;
    this.#share = share;
    this.#pace = new Pace(caps.requestsPerS / share.of);
    const { promise, reject } = Promise.withResolvers<never>();
    this.exhausted = promise;
    this.#exhaust = reject;
    // Nobody may be waiting when that happens.
    promise.catch(() => {});
  }

  /** Null where all listeners are on this machine. */
  static of(listeners: readonly Listener[], share: Share): LoadBudget | null {
    const permit = strictest(listeners);
    return permit === null ? null : new LoadBudget(permit.host, permit.caps, share);
  }

  /** Of all arms and processes together. Throws when there are more than the target takes. */
  demandConnections(connections: number): void {
    if (connections <= this.#caps.connections) return;
    throw new Error(`${this.#host} takes at most ${this.#caps.connections} connections, not ${connections}`);
  }

  /** Throws for more requests per second than the target takes; those of a closed loop are paced one by one. */
  demandRate(requestsPerS: number): void {
    if (requestsPerS <= this.#caps.requestsPerS) return;
    throw new Error(`${this.#host} takes at most ${this.#caps.requestsPerS} requests per second`);
  }

  /** Until then it may be spent, on the clock of `performance.now()`. */
  lease(untilMs: number): void {
    this.#leaseUntilMs = untilMs;
  }

  /** How long the next request has to wait, in whole ms. */
  waitMs(nowMs: number): number {
    return forTimer(this.#pace.waitMs(nowMs));
  }

  /** The same for a request that is going to be sent; the ones after it wait for it as well. */
  take(nowMs: number): number {
    return forTimer(this.#pace.take(1, nowMs));
  }

  /**
   * Ends this process where the lease is over: its share may be another one's by now. Asked right before anything is sent, because this host
   * may have been stopped since it was due.
   */
  demandLease(nowMs: number): void {
    if (nowMs > this.#leaseUntilMs) process.exit(leaseOver);
  }

  /** @param bytes sent and received by this process so far. Returns false once they are used up. */
  spend(bytes: number): boolean {
    if (bytes <= this.#caps.bytes / this.#share.of) return true;
    this.#exhaust(new Error(`${bytesReached} of ${this.#host} (${this.#caps.bytes / 1e6} MB) was reached`));
    return false;
  }
}

/** A timer knows whole milliseconds. A request may be sent that much early; those after it gain nothing from that. */
function forTimer(ms: number): number {
  return ms < 1 ? 0 : Math.ceil(ms);
}
