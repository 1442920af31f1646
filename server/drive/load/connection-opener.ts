import type { LoadBudget } from './load-budget.ts';

/** Connections that are being opened at one time: more would overflow the backlog of a listener. */
export const mostConnecting = 256;

/** Who opens a connection, and then calls `opened` whether it came or not. */
export type Opening = { connect(): void };

/** Opens many connections, a bounded number at a time, and to another host one after another at the rate it permits. */
export class ConnectionOpener {
  readonly #budget: Pick<LoadBudget, 'take'> | null;
  #waiting: Opening[] = [];
  /** Those that wait for the rate as well. */
  #connecting = 0;
  readonly #paced = new Set<NodeJS.Timeout>();

  /** @param budget null where the target is on this machine */
  constructor(budget: Pick<LoadBudget, 'take'> | null) {
    this.#budget = budget;
  }

  get idle(): boolean {
    return this.#connecting === 0;
  }

  open(all: readonly Opening[]): void {
    this.#waiting = [...all];
    while (this.#connecting < mostConnecting && this.#waiting.length > 0) this.#next();
  }

  opened(): void {
    this.#connecting--;
    this.#next();
  }

  /** Opens none of those that are left. */
  stop(): void {
    this.#waiting = [];
    for (const timer of this.#paced) clearTimeout(timer);
    this.#connecting -= this.#paced.size;
    this.#paced.clear();
  }

  #next(): void {
    const next = this.#waiting.pop();
    if (next === undefined) return;
    this.#connecting++;
    const waitMs = this.#budget?.take(performance.now()) ?? 0;
    if (waitMs === 0) next.connect();
    else {
      const timer = setTimeout(() => {
        this.#paced.delete(timer);
        next.connect();
      }, waitMs);
      this.#paced.add(timer);
    }
  }
}
