import type { Socket } from 'node:net';

/** As much as Linux lets a connection's receive buffer grow to, about. */
const mostOfConnection = 4 * 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;

/**
 * What is in flight in one direction of a link, of all connections. A sender is not read from while too much of its own, or
 * of all, has not arrived: its window is full then.
 */
export class InFlight {
  readonly #bytes = new Map<Socket, number>();
  readonly #paused = new Set<Socket>();
  #total = 0;

  add(from: Socket, bytes: number): void {
    const own = (this.#bytes.get(from) ?? 0) + bytes;
    this.#bytes.set(from, own);
    this.#total += bytes;
    if (own < mostOfConnection && this.#total < mostOfAll) return;
    from.pause();
    this.#paused.add(from);
  }

  arrived(from: Socket, bytes: number): void {
    this.#total -= bytes;
    const own = (this.#bytes.get(from) ?? 0) - bytes;
    if (own > 0) this.#bytes.set(from, own);
    else this.#bytes.delete(from);
    if (this.#paused.size > 0 && this.#total <= mostOfAll / 2) this.#resume();
  }

  #resume(): void {
    for (const socket of this.#paused) {
      if ((this.#bytes.get(socket) ?? 0) > mostOfConnection / 2) continue;
      this.#paused.delete(socket);
      socket.resume();
    }
  }
}
