/** More of a body is not kept: checks and extraction are for pages, not for downloads. */
export const mostKeptBytes = 10 * 1024 * 1024;
/** A store that has grown beyond this is given back with the next response. */
const mostIdleBytes = 1024 * 1024;
const firstBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** Bytes of a response that somebody wants to look at, copied out of the receive buffer. The store is used again. */
export class KeptBytes {
  #store: Buffer = nothing;
  #length = 0;

  /** Good until the next `clear`. */
  get bytes(): Buffer {
    return this.#store.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#store.length > mostIdleBytes) this.#store = nothing;
  }

  append(source: Buffer, from: number, to: number): void {
    const taken = Math.min(to - from, mostKeptBytes - this.#length);
    if (this.#length + taken > this.#store.length) this.#grow(this.#length + taken);
    source.copy(this.#store, this.#length, from, from + taken);
    this.#length += taken;
  }

  #grow(needed: number): void {
    const store = Buffer.allocUnsafeSlow(Math.max(firstBytes, needed, this.#store.length * 2));
    this.bytes.copy(store);
    this.#store = store;
  }
}
