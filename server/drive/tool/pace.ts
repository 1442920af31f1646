/**
 * Tells a closed loop, which sends its next request when it has its answer, from an open one, which sends at a rate of its own:
 * answers are held back in every second slot, so long that a closed loop cannot send more than half as many.
 */
export class Pace {
  readonly #slotMs: number;
  readonly #arrived: [atOnce: Slot, heldBack: Slot] = [emptySlot(), emptySlot()];
  #delayMs = 0;
  #seen = 0;

  constructor(slotMs = 500) {
    this.#slotMs = slotMs;
  }

  /** Milliseconds by which the answer to a request is held back that arrives at this time. */
  delayAt(nowMs: number, openConnections: number): number {
    const index = Math.floor(nowMs / this.#slotMs);
    const heldBack = index % 2 === 1;
    const into = nowMs - index * this.#slotMs;
    // What was under way when the slot began belongs to the one before.
    const counts = into >= this.#slotMs / 2;
    const slot = this.#arrived[heldBack ? 1 : 0];
    if (counts) {
      slot.requests += 1;
      slot.indexes.add(index);
    }
    if (heldBack && index !== this.#seen) {
      this.#seen = index;
      this.#delayMs = delayFor(openConnections, this.#rate(0), this.#slotMs);
    }
    return heldBack ? this.#delayMs : 0;
  }

  /** Null until each kind of slot was seen twice. */
  get rates(): { atOnce: number; heldBack: number; delayMs: number } | null {
    if (this.#arrived.some(({ indexes }) => indexes.size < 2)) return null;
    return { atOnce: this.#rate(0), heldBack: this.#rate(1), delayMs: this.#delayMs };
  }

  /** Per second. */
  #rate(kind: 0 | 1): number {
    const { requests, indexes } = this.#arrived[kind];
    return indexes.size === 0 ? 0 : requests / ((indexes.size * this.#slotMs) / 2 / 1000);
  }
}

type Slot = { requests: number; indexes: Set<number> };

function emptySlot(): Slot {
  return { requests: 0, indexes: new Set() };
}

const [shortestMs, share] = [20, 0.4];

/** Twice the time in which every connection has one answer. */
function delayFor(openConnections: number, perSecond: number, slotMs: number): number {
  const twice = perSecond === 0 ? 0 : (2000 * openConnections) / perSecond;
  return Math.min(Math.max(shortestMs, twice), share * slotMs);
}
