/** Connections that are being opened at one time: more would overflow the backlog of a listener. */
const mostConnecting = 256;

/** Who opens a connection, and then calls `opened` whether it came or not. */
export type Opening = { connect(): void };

/** Opens many connections, a bounded number at a time. */
export class ConnectionOpener {
  #waiting: Opening[] = [];
  #connecting = 0;

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

  #next(): void {
    const next = this.#waiting.pop();
    if (next === undefined) return;
    this.#connecting++;
    next.connect();
  }
}
