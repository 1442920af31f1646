import type { Link } from '../../../../shared/kinds/comparison/link.ts';
import { DelayLine } from '../delay-line.ts';

/** A queue holds what the rate sends in a round trip, and at least this many full packets, so that a first flight fits. */
const leastQueued = 32;
const fullPacketBytes = 1448;

/** One direction of a path: loses packets, and drops those that find the queue before the rate full. The rest is delayed. */
export class PacketWay {
  readonly line: DelayLine;
  packets = 0;
  lost = 0;
  /** Dropped by the full queue. */
  overflowed = 0;
  readonly #lossShare: number;
  readonly #longestQueueMs: number;
  readonly #random: () => number;

  /** @param random from 0 up to 1 */
  constructor({ roundTripMs, mbitPerS, lossPercent = 0 }: Link, random: () => number) {
    this.line = new DelayLine(roundTripMs / 2, mbitPerS);
    this.#lossShare = lossPercent / 100;
    const leastMs = mbitPerS === null ? 0 : (leastQueued * fullPacketBytes * 8) / (mbitPerS * 1000);
    this.#longestQueueMs = Math.max(roundTripMs, leastMs);
    this.#random = random;
  }

  /** @param bytes that TCP carries in the packet, which is what a rate counts. Returns whether it will be delivered. */
  enter(nowMs: number, bytes: number, deliver: () => void): boolean {
    this.packets++;
    if (this.#random() < this.#lossShare) {
      this.lost++;
      return false;
    }
    if (bytes > 0 && this.line.queuedMs(nowMs) > this.#longestQueueMs) {
      this.overflowed++;
      return false;
    }
    this.line.enter(nowMs, bytes, deliver);
    return true;
  }
}
